// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/contacts.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace ulna {
namespace {

std::string framesOf(const Contact& contact) {
    return "from frame " + std::to_string(contact.first) + " to " + std::to_string(contact.last);
}

}  // namespace

Status checkContacts(const Contacts& contacts, std::size_t frames) {
    for (const Contact& each : contacts.contacts) {
        if (each.side == BodySide::Centre)
            return Diagnostic{.what = "a contact " + framesOf(each) + " is of no side",
                              .advice = "feet are left or right"};
        if (each.first > each.last)
            return Diagnostic{.what = "a contact " + framesOf(each) + " ends before it begins"};
        if (each.last >= frames)
            return Diagnostic{
                .what = "a contact " + framesOf(each) + " is not inside the clip",
                .advice = "the clip has " + std::to_string(frames) + " frames, the first is 0"};
    }
    const std::optional<std::array<std::size_t, 2>> both = overlappingContacts(contacts.contacts);
    if (!both) return Done{};
    const Contact& a = contacts.contacts[(*both)[0]];
    const Contact& b = contacts.contacts[(*both)[1]];
    return Diagnostic{.what = "a contact " + framesOf(b) + " overlaps one " + framesOf(a) +
                              " of the same part of the same foot",
                      .advice = "make them one contact, or shorten one of them"};
}

std::optional<std::array<std::size_t, 2>> overlappingContacts(std::span<const Contact> contacts) {
    std::vector<std::size_t> order(contacts.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto key = [&](std::size_t i) {
        return std::tuple(contacts[i].side, contacts[i].part, contacts[i].first, i);
    };
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    for (std::size_t i = 1; i < order.size(); ++i) {
        const Contact& a = contacts[order[i - 1]];
        const Contact& b = contacts[order[i]];
        if (a.side == b.side && a.part == b.part && b.first <= a.last)
            return std::array{order[i - 1], order[i]};
    }
    return std::nullopt;
}

}  // namespace ulna
