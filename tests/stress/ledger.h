// SPDX-License-Identifier: Apache-2.0

// The ledger of a stress run: what was promised, how often it was looked at, how often it was
// broken, and the worst value with its seed. docs/promises.md lists the promises.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ulna::test::stress {

class Ledger {
  public:
    /// @param tolerance_factor multiplies every tolerance; below 1 it shows that the program fails
    /// when a promise is broken.
    explicit Ledger(std::string family, double tolerance_factor = 1.0);

    /// What follows belongs to the problem of this seed.
    void begin(std::uint64_t seed);

    /// A promise: `value` is at most `tolerance`. A value that is not a number breaks it. The first
    /// few problems that break a promise are printed, with `about`.
    void look(const std::string& promise, double value, double tolerance,
              std::string_view about = {});
    /// A promise that holds or does not.
    void look(const std::string& promise, bool holds, std::string_view about = {});

    /// Counts an event that is no promise: how many problems end with each status.
    void count(const std::string& event);

    /// Runs a solve of a problem of this size (degrees of freedom) and notes the processor time
    /// that it took.
    template <class Solve>
    decltype(auto) time(std::size_t size, const Solve& solve) {
        const Stopwatch watch(*this, size);
        return solve();
    }

    /// Prints every promise, event and the slowest solves; says whether all promises hold: none is
    /// broken more often than the share that open_promises.h allows, which is 0 for most.
    [[nodiscard]] bool print() const;

  private:
    struct Promise {
        double tolerance = 0.0;
        std::size_t looks = 0, broken = 0;
        double worst = 0.0;
        std::uint64_t worst_seed = 0;
    };
    struct Timed {
        double seconds = 0.0;
        std::uint64_t seed = 0;
        std::size_t size = 0;
    };
    class Stopwatch {
      public:
        Stopwatch(Ledger& ledger, std::size_t size);
        ~Stopwatch();
        Stopwatch(const Stopwatch&) = delete;
        Stopwatch& operator=(const Stopwatch&) = delete;

      private:
        Ledger& ledger_;
        std::size_t size_;
        double start_;
    };

    [[nodiscard]] bool printPromise(const std::string& name, const Promise& promise) const;
    void printTimes() const;

    std::string family_;
    double tolerance_factor_;
    std::uint64_t seed_ = 0;
    std::map<std::string, Promise> promises_;
    std::map<std::string, std::size_t> events_;
    std::vector<Timed> times_;
};

}  // namespace ulna::test::stress
