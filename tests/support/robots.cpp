// SPDX-License-Identifier: Apache-2.0
#include "support/robots.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <vector>

#include "support/skeletons.h"

namespace ulna::test {
namespace {

std::string attribute(const std::string& tag, const std::string& name) {
    for (const char quote : {'"', '\''}) {
        const std::size_t at = tag.find(" " + name + "=" + quote);
        if (at == std::string::npos) continue;
        const std::size_t from = at + name.size() + 3;
        return tag.substr(from, tag.find(quote, from) - from);
    }
    return {};
}

std::vector<double> numbers(const std::string& text) {
    std::istringstream in(text);
    std::vector<double> out;
    for (double x = 0.0; in >> x;) out.push_back(x);
    return out;
}

class Reader {
  public:
    explicit Reader(RobotNames names) : names_(names) {}

    void tag(const std::string& text) {
        const bool closed = text.back() == '/';
        if (text.rfind("body ", 0) == 0) {
            parents_.push_back(current_);
            body_ = attribute(text, "name");
            rest_ = {};
            if (const auto p = numbers(attribute(text, "pos")); p.size() == 3)
                rest_.translation = {p[0], p[1], p[2]};
            if (const auto q = numbers(attribute(text, "quat")); q.size() == 4)
                rest_.rotation = normalized(Quat{q[1], q[2], q[3], q[0]});
            open_ = true;
            if (closed) close();
        } else if (text == "/body") {
            finishBody();
            close();
        } else if (text.rfind("freejoint", 0) == 0) {
            add(body_, JointKind::Free, {});
        } else if (open_ && text.rfind("joint ", 0) == 0) {
            const std::string name = attribute(text, "name");
            if (attribute(text, "type") == "free") return add(body_, JointKind::Free, {});
            const auto a = numbers(attribute(text, "axis"));
            add(names_ == RobotNames::OfJoints ? name : body_, JointKind::Hinge,
                a.size() == 3 ? Vec3{a[0], a[1], a[2]} : Vec3{0, 0, 1});
        } else if (text.rfind("geom", 0) != 0 && text.rfind("inertial", 0) != 0 &&
                   text.rfind("site", 0) != 0) {
            finishBody();
        }
    }
    // A body whose joints are all known: before its first child, or at its end.
    void finishBody() {
        if (open_) add(body_, JointKind::Fixed, {});
    }
    std::vector<JointDef> joints;

  private:
    void add(const std::string& name, JointKind kind, const Vec3& axis) {
        joints.push_back(joint(name, current_, kind, {}));
        joints.back().rest = rest_;
        if (kind == JointKind::Hinge) joints.back().axes[0] = axis;
        rest_ = {};
        current_ = name;
        open_ = false;
    }
    void close() {
        if (open_) finishBody();
        current_ = parents_.back();
        parents_.pop_back();
    }

    RobotNames names_;
    std::vector<std::string> parents_;
    std::string current_, body_;
    Trs rest_;
    bool open_ = false;
};

}  // namespace

Skeleton loadRobotTree(const std::string& path, RobotNames names) {
    std::ifstream file(path);
    EXPECT_TRUE(file.good()) << path;
    std::stringstream all;
    all << file.rdbuf();
    const std::string text = all.str();
    Reader reader(names);
    const std::size_t end = text.find("</worldbody>");
    for (std::size_t at = text.find("<worldbody>"); at < end;) {
        at = text.find('<', at + 1);
        if (at >= end) break;
        if (text.compare(at, 4, "<!--") == 0) {
            at = text.find("-->", at);
            continue;
        }
        const std::size_t close = text.find('>', at);
        std::string tag = text.substr(at + 1, close - at - 1);
        // A child's tag says that the body before it has no further joints.
        if (tag.rfind("body ", 0) == 0) reader.finishBody();
        reader.tag(tag);
    }
    return build(std::move(reader.joints));
}

}  // namespace ulna::test
