// SPDX-License-Identifier: Apache-2.0
#include "stress/ledger.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "stress/open_promises.h"

namespace ulna::test::stress {
namespace {

constexpr std::size_t kMostPrinted = 6;  // problems of one broken promise
constexpr std::size_t kSlowest = 3;

double processorSeconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace

Ledger::Ledger(std::string family, double tolerance_factor)
    : family_(std::move(family)), tolerance_factor_(tolerance_factor) {}

void Ledger::begin(std::uint64_t seed) {
    seed_ = seed;
}

void Ledger::look(const std::string& promise, double value, double tolerance,
                  std::string_view about) {
    tolerance *= tolerance_factor_;
    Promise& entry = promises_[promise];
    entry.tolerance = tolerance;
    ++entry.looks;
    if (entry.looks == 1 || !(value <= entry.worst)) {
        entry.worst = value;
        entry.worst_seed = seed_;
    }
    if (value <= tolerance) return;
    ++entry.broken;
    if (entry.broken > kMostPrinted) return;
    std::printf("%s %llu: %s: %.3g, not %.3g %.*s\n", family_.c_str(),
                static_cast<unsigned long long>(seed_), promise.c_str(), value, tolerance,
                static_cast<int>(about.size()), about.data());
    std::fflush(stdout);
}

void Ledger::look(const std::string& promise, bool holds, std::string_view about) {
    look(promise, holds ? 0.0 : 1.0, 0.0, about);
}

void Ledger::count(const std::string& event) {
    ++events_[event];
}

bool Ledger::print() const {
    bool all_hold = true;
    for (const auto& [name, promise] : promises_)
        all_hold = printPromise(name, promise) && all_hold;
    for (const auto& [event, times] : events_) std::printf("  %-66s %zu\n", event.c_str(), times);
    printTimes();
    return all_hold;
}

bool Ledger::printPromise(const std::string& name, const Promise& promise) const {
    const double share = allowedShare(family_, name);
    // Rounded up, so that a short run may show one problem of those that are open.
    const double allowed = std::ceil(share * static_cast<double>(promise.looks));
    const bool holds = static_cast<double>(promise.broken) <= allowed;
    std::printf("%s %-66s %zu of %zu broken, worst %.3g of %.3g (seed %llu)", holds ? " " : "!",
                name.c_str(), promise.broken, promise.looks, promise.worst, promise.tolerance,
                static_cast<unsigned long long>(promise.worst_seed));
    if (share > 0.0) std::printf(", open: up to %g", share);
    std::printf("\n");
    return holds;
}

// Problems of one size have about as many degrees of freedom: from one power of two to the next.
void Ledger::printTimes() const {
    if (times_.empty()) return;
    std::map<std::size_t, std::vector<double>> by_size;
    for (const Timed& timed : times_) by_size[std::bit_width(timed.size)].push_back(timed.seconds);
    for (auto& [size, seconds] : by_size) std::sort(seconds.begin(), seconds.end());
    std::vector<Timed> sorted = times_;
    for (Timed& timed : sorted) {
        const std::vector<double>& alike = by_size[std::bit_width(timed.size)];
        // A clock that ticks in microseconds shows no less.
        timed.seconds /= std::max(1e-6, alike[alike.size() / 2]);
    }
    std::sort(sorted.begin(), sorted.end(),
              [](const Timed& a, const Timed& b) { return a.seconds < b.seconds; });
    std::printf("  in medians of problems of their size: 99 of 100 within %.0f, slowest",
                sorted[sorted.size() * 99 / 100].seconds);
    for (std::size_t i = 1; i <= std::min(kSlowest, sorted.size()); ++i) {
        const Timed& slow = sorted[sorted.size() - i];
        std::printf(" %.0f (seed %llu)", slow.seconds, static_cast<unsigned long long>(slow.seed));
    }
    std::printf("\n  medians:");
    for (const auto& [size, seconds] : by_size)
        std::printf(" %.0f us below %zu degrees of freedom", 1e6 * seconds[seconds.size() / 2],
                    std::size_t{1} << size);
    std::printf("\n");
}

Ledger::Stopwatch::Stopwatch(Ledger& ledger, std::size_t size)
    : ledger_(ledger), size_(size), start_(processorSeconds()) {}

Ledger::Stopwatch::~Stopwatch() {
    ledger_.times_.push_back({processorSeconds() - start_, ledger_.seed_, size_});
}

}  // namespace ulna::test::stress
