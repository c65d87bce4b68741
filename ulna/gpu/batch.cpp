// SPDX-License-Identifier: Apache-2.0
#include "ulna/gpu/batch.h"

#include <algorithm>
#include <cmath>

#include "ulna/core/parallel.h"
#include "ulna/gpu/detail/kernel/batch.h"
#include "ulna/gpu/detail/kernel/states.h"
#include "ulna/gpu/detail/module.h"
#include "ulna/gpu/detail/moving.h"
#include "ulna/gpu/detail/upload.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

using gpu::detail::Address;
using gpu::detail::Buffer;
using gpu::detail::Context;
using gpu::detail::Current;
using gpu::detail::HostTables;
using gpu::detail::Module;
using gpu::detail::Queue;
using gpu::detail::Upload;
namespace kernel = gpu::kernel;

constexpr int kUsualSteps = 100;  // of an attempt, as in ik/batch.h

// The degrees of freedom of joints that carry links and have none of their own.
std::vector<std::size_t> heldDofs(const Skeleton& skeleton, const BatchProgram& program) {
    std::vector<bool> moved(skeleton.dofCount(), false), above(skeleton.jointCount(), false);
    for (const BatchProgram::Column& column : program.columns) moved[column.dof] = true;
    for (const JointId body : program.bodies) {
        for (JointId j = body; j != JointId::None; j = skeleton.parent(j)) above[index(j)] = true;
    }
    std::vector<std::size_t> out;
    for (const JointId j : skeleton.joints()) {
        if (!above[index(j)]) continue;
        for (std::size_t d = 0; d < skeleton.dofCount(j); ++d) {
            if (!moved[skeleton.firstDof(j) + d]) out.push_back(skeleton.firstDof(j) + d);
        }
    }
    return out;
}

template <class T>
T* offset(T* array, std::size_t count) {
    return array == nullptr ? nullptr : array + count;
}

}  // namespace

struct GpuBatch::State {
    const Skeleton* skeleton = nullptr;
    std::vector<IkGoal> goals;
    IkOptions options;
    BatchProgram program;
    HostTables tables;
    std::shared_ptr<Context> context;
    std::unique_ptr<Queue> queue;
    std::unique_ptr<Module> module;
    std::string message;
    std::vector<double> middle;     // a state
    std::vector<std::size_t> held;  // degrees of freedom above the goals that do not move
    DofVector base;                 // and where they are

    kernel::Tables device_tables = {};
    gpu::detail::Code states_code;
    gpu::detail::FunctionHandle* states_kernel = nullptr;  // found when it is first needed
    kernel::StateMap state_map = {};

    Buffer table_memory, start;                             // set up once
    Buffer states, attempts, lists[2], counters;            // of a wave
    Buffer best_cost, status, iterations, tried, errors;    // of a part of a batch
    Buffer points, orientations, weights, starts, answers;  // of host batches

    [[nodiscard]] std::size_t numbers() const { return tables.stateSize(); }

    [[nodiscard]] Status uploadTables();
    [[nodiscard]] Status mapStates(std::size_t count, const double* from, double* to,
                                   bool to_states);
    [[nodiscard]] Status mapStatesOnHost(std::size_t count, const double* from, double* to,
                                         bool to_states);
    [[nodiscard]] std::size_t partSize(std::size_t count) const;
    [[nodiscard]] Status solvePart(const kernel::Problems& all, const kernel::Answers& to);
    [[nodiscard]] Status solve(const GpuProblems& problems, const GpuAnswers& to);
};

Status GpuBatch::State::uploadTables() {
    kernel::Tables t = tables.view();
    Upload bytes;
    const std::size_t link = bytes.add(tables.links), column = bytes.add(tables.columns);
    const std::size_t row = bytes.add(tables.rows), above = bytes.add(tables.above);
    const std::size_t slides = bytes.add(tables.slides);
    std::vector<int> dofs;
    for (const BatchProgram::Column& c : program.columns) dofs.push_back(static_cast<int>(c.dof));
    const std::size_t dof = bytes.add(dofs), rest = bytes.add(base);
    if (const Status s = bytes.send(*queue, table_memory); !s) return s.error();
    if (const Status s = queue->copyIn(start, middle.data(), middle.size() * sizeof(double)); !s)
        return s.error();
    t.link = Upload::at<kernel::Link>(table_memory, link);
    t.column = Upload::at<kernel::Column>(table_memory, column);
    t.row = Upload::at<kernel::Row>(table_memory, row);
    t.above = Upload::at<unsigned char>(table_memory, above);
    t.slides = Upload::at<unsigned char>(table_memory, slides);
    device_tables = t;
    state_map.columns = t.columns;
    state_map.dofs = static_cast<int>(skeleton->dofCount());
    state_map.column = t.column;
    state_map.dof = Upload::at<int>(table_memory, dof);
    state_map.base = Upload::at<double>(table_memory, rest);
    return Done{};
}

Status GpuBatch::State::mapStates(std::size_t count, const double* from, double* to,
                                  bool to_states) {
    if (count == 0) return Done{};
    if (tables.balls > 0) return mapStatesOnHost(count, from, to, to_states);
    if (states_kernel == nullptr) {
        Result<gpu::detail::Code> code =
            gpu::detail::Code::loadOrCompile(context, gpu::detail::kMovingSource);
        if (!code) return code.error();
        const Result<gpu::detail::FunctionHandle*> found = code->find("ulnaStates");
        if (!found) return found.error();
        states_code = *std::move(code);
        states_kernel = *found;
    }
    kernel::StateMap all = state_map;
    all.count = static_cast<long long>(count);
    all.from = from;
    all.to = to;
    all.to_states = to_states;
    return queue->launch(states_kernel, gpu::detail::movingBlocks(count), 1,
                         gpu::detail::kMovingThreads, all);
}

Status GpuBatch::State::mapStatesOnHost(std::size_t count, const double* from, double* to,
                                        bool to_states) {
    const std::size_t n = skeleton->dofCount(), width = to_states ? n : numbers();
    std::vector<double> in(count * width), out(count * (to_states ? numbers() : n));
    for (const Status& s :
         {queue->copyOut(in.data(), reinterpret_cast<Address>(from), in.size() * sizeof(double)),
          queue->wait()}) {
        if (!s) return s.error();
    }
    parallelFor(count, 1024, 0, [&](std::size_t begin, std::size_t end) {
        DofVector dofs;
        for (std::size_t i = begin; i < end; ++i) {
            const std::span<const double> own(in.data() + i * width, width);
            if (to_states) {
                dofs.assign(own.begin(), own.end());
                clampToLimits(*skeleton, dofs);
                gpu::detail::computeState(*skeleton, program, dofs,
                                          std::span(out).subspan(i * numbers(), numbers()));
            } else {
                const std::span<double> answer(out.data() + i * n, n);
                std::copy(base.begin(), base.end(), answer.begin());
                gpu::detail::computeDofs(*skeleton, program, own, answer);
            }
        }
    });
    if (const Status s =
            queue->send(reinterpret_cast<Address>(to), out.data(), out.size() * sizeof(double));
        !s)
        return s.error();
    return queue->wait();
}

// How many problems go together: as many as half the free memory has room for.
std::size_t GpuBatch::State::partSize(std::size_t count) const {
    std::size_t free = 0, total = 0;
    context->driver().cuMemGetInfo_v2(&free, &total);
    const std::size_t bytes = numbers() * sizeof(float) + sizeof(kernel::Attempt) + 64;
    return std::clamp<std::size_t>(free / 2 / bytes, 1, std::min<std::size_t>(count, 1u << 24));
}

Status GpuBatch::State::solvePart(const kernel::Problems& all, const kernel::Answers& to) {
    const auto count = static_cast<std::size_t>(all.count);
    const auto resident = static_cast<std::size_t>(module->residentBlocks());
    const std::size_t fill = resident * Module::kThreads;
    const std::size_t most_slots = std::max(count, fill);
    for (const Status& s :
         {states.grow(context, most_slots * numbers() * sizeof(float)),
          attempts.grow(context, most_slots * sizeof(kernel::Attempt)),
          lists[0].grow(context, count * sizeof(int)), lists[1].grow(context, count * sizeof(int)),
          counters.grow(context, 16)}) {
        if (!s) return s.error();
    }
    std::size_t left = count;
    int first = 0;
    for (int wave_number = 0; left > 0; ++wave_number) {
        const auto attempts_left = static_cast<std::size_t>(all.restarts + 1 - first);
        // Most problems need one attempt; those that are left share the card.
        const auto width =
            wave_number == 0
                ? 1
                : static_cast<int>(std::clamp<std::size_t>(fill / left, 1, attempts_left));
        const kernel::Wave wave = {
            .problems = static_cast<long long>(left),
            .list = wave_number == 0 ? nullptr : lists[wave_number % 2].as<const int>(),
            .width = width,
            .first_attempt = first,
            .last = first + width > all.restarts,
            .states = states.as<float>(),
            .attempts = attempts.as<kernel::Attempt>()};
        const Address next = counters.address();
        const Address left_count = counters.address() + 8;
        const Address left_list = lists[(wave_number + 1) % 2].address();
        const std::size_t slots = left * static_cast<std::size_t>(width);
        const std::size_t blocks =
            std::min(resident, (slots + Module::kThreads - 1) / Module::kThreads);
        const std::size_t settle_blocks = (left + Module::kThreads - 1) / Module::kThreads;
        int remaining = 0;
        // How many are left decides the next wave, so that the host waits for each.
        if (const Status s = queue->clear(next, 16); !s) return s.error();
        if (const Status s = queue->launch(module->attempts(), blocks, 1, Module::kThreads,
                                           device_tables, all, wave, next);
            !s)
            return s.error();
        if (const Status s = queue->launch(module->settle(), settle_blocks, 1, Module::kThreads,
                                           device_tables, all, wave, to, left_list, left_count);
            !s)
            return s.error();
        if (const Status s = queue->copyOut(&remaining, left_count, sizeof remaining); !s)
            return s.error();
        if (const Status s = queue->wait(); !s) return s.error();
        left = static_cast<std::size_t>(remaining);
        first += width;
    }
    return Done{};
}

Status GpuBatch::State::solve(const GpuProblems& problems, const GpuAnswers& to) {
    const std::size_t part = partSize(problems.count);
    for (const Status& s :
         {best_cost.grow(context, part * sizeof(float)), status.grow(context, part * sizeof(int)),
          iterations.grow(context, part * sizeof(int)), tried.grow(context, part * sizeof(int)),
          errors.grow(context, part * sizeof(double))}) {
        if (!s) return s.error();
    }
    for (std::size_t begin = 0; begin < problems.count; begin += part) {
        const std::size_t count = std::min(part, problems.count - begin);
        kernel::Problems all = {};
        all.count = static_cast<long long>(count);
        all.points = offset(problems.points, 3 * goals.size() * begin);
        all.orientations = offset(problems.orientations, 4 * goals.size() * begin);
        all.weights = offset(problems.weights, goals.size() * begin);
        all.starts = problems.starts == nullptr ? start.as<const double>()
                                                : problems.starts + numbers() * begin;
        all.start_stride = problems.starts == nullptr ? 0 : static_cast<long long>(numbers());
        all.goals = static_cast<int>(goals.size());
        all.seed = options.seed;
        all.restarts = options.continuity ? 0 : options.restarts;
        all.most_steps = options.max_iterations > 0 ? options.max_iterations : kUsualSteps;
        for (std::size_t k = 0; k < 3; ++k) all.origin[k] = program.origin[k];
        all.damping_floor = 1e-9 * program.reach * program.reach;
        const auto place = [&](auto* wanted, const Buffer& own) {
            using T = std::remove_pointer_t<decltype(wanted)>;
            return wanted == nullptr ? own.as<T>() : wanted + begin;
        };
        const kernel::Answers answers_of_part = {.states = to.states + numbers() * begin,
                                                 .best_cost = best_cost.as<float>(),
                                                 .status = place(to.status, status),
                                                 .iterations = place(to.iterations, iterations),
                                                 .attempts = place(to.attempts, tried),
                                                 .error = place(to.errors, errors)};
        if (const Status s = solvePart(all, answers_of_part); !s) return s.error();
    }
    return Done{};
}

GpuBatch::GpuBatch(std::unique_ptr<State> state) : state_(std::move(state)) {}
GpuBatch::GpuBatch(GpuBatch&&) noexcept = default;
GpuBatch& GpuBatch::operator=(GpuBatch&&) noexcept = default;
GpuBatch::~GpuBatch() = default;

Result<GpuBatch> GpuBatch::make(const Skeleton& skeleton, std::span<const IkGoal> goals,
                                const IkOptions& options, const GpuOptions& gpu) {
    ULNA_ASSERT(gpu.base.empty() || gpu.base.size() == skeleton.dofCount(),
                "a base has one number per degree of freedom");
    const DofVector middle = middleOfLimits(skeleton);
    DofVector base = gpu.base.empty() ? middle : DofVector(gpu.base);
    clampToLimits(skeleton, base);
    const Result<BatchProgram> program = makeBatchProgram(skeleton, goals, options, base);
    if (!program) return program.error();
    const Result<std::shared_ptr<Context>> context = Context::open(gpu.device);
    if (!context) return context.error();
    auto state = std::make_unique<State>();
    state->skeleton = &skeleton;
    state->goals.assign(goals.begin(), goals.end());
    state->options = options;
    state->program = *program;
    state->tables = gpu::detail::makeTables(skeleton, *program);
    state->held = heldDofs(skeleton, *program);
    state->base = std::move(base);
    state->context = *context;
    state->queue = std::make_unique<Queue>(*context, gpu.stream);
    const Current current(**context);
    Result<std::unique_ptr<Module>> module =
        Module::make(*context, state->tables, gpu, state->message);
    if (!module) return module.error();
    state->module = *std::move(module);
    state->middle.resize(state->numbers());
    gpu::detail::computeState(skeleton, *program, middle, state->middle);
    if (const Status s = state->uploadTables(); !s) return s.error();
    return GpuBatch(std::move(state));
}

Status GpuBatch::solve(const GpuProblems& problems, const GpuAnswers& answers) {
    ULNA_ASSERT(answers.states != nullptr || problems.count == 0,
                "a batch needs somewhere to put its answers");
    const Current current(*state_->context);
    return state_->solve(problems, answers);
}

Result<IkBatchResult> GpuBatch::solve(const IkBatchProblems& problems) {
    State& s = *state_;
    const Skeleton& skeleton = *s.skeleton;
    const std::size_t n = skeleton.dofCount();
    const std::size_t numbers = s.numbers();
    const std::size_t count = problems.count;
    const bool one_start = problems.starts.size() == n && count != 1;
    ULNA_ASSERT(problems.starts.empty() || problems.starts.size() == n ||
                    problems.starts.size() == n * count,
                "starts need one row, or one row per problem");
    if (const Status sized = checkBatchSizes(s.goals, problems); !sized) return sized.error();
    IkBatchResult out;
    out.dofs.resize(count * n);
    out.reports.resize(count);
    if (count == 0) return out;

    const DofVector middle = middleOfLimits(skeleton);
    const auto startOf = [&](std::size_t i) -> std::span<const double> {
        if (problems.starts.empty()) return middle;
        return {problems.starts.data() + (one_start ? 0 : i * n), n};
    };
    const auto clampedStart = [&](std::size_t i, std::span<double> dofs) {
        const std::span<const double> start = startOf(i);
        std::copy(start.begin(), start.end(), dofs.begin());
        clampToLimits(skeleton, dofs);
    };
    for (std::size_t i = 0; i < (one_start ? 1 : count); ++i) {
        for (const std::size_t d : s.held) {
            const double x = startOf(i)[d];
            if (std::isfinite(x) && std::abs(x - s.base[d]) > 1e-12 * (1.0 + std::abs(x)))
                return Diagnostic{.what =
                                      "a joint that does not move is elsewhere in a start than "
                                      "where the batch was made",
                                  .advice = "GpuOptions::base says where; solveIkBatch takes any"};
        }
    }
    std::vector<double> states(count * numbers);
    parallelFor(count, 1024, 0, [&](std::size_t begin, std::size_t end) {
        DofVector dofs(n);
        for (std::size_t i = begin; i < end; ++i) {
            clampedStart(i, dofs);
            gpu::detail::computeState(skeleton, s.program, dofs,
                                      std::span(states).subspan(i * numbers, numbers));
        }
    });
    const Current current(*s.context);
    const auto bytes = [](const auto& v) { return v.size() * sizeof(v[0]); };
    static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Quat) == 4 * sizeof(double));
    for (const Status& status :
         {s.queue->copyIn(s.points, problems.points.data(), bytes(problems.points)),
          s.queue->copyIn(s.orientations, problems.orientations.data(),
                          bytes(problems.orientations)),
          s.queue->copyIn(s.weights, problems.weights.data(), bytes(problems.weights)),
          s.queue->copyIn(s.starts, states.data(), bytes(states)),
          s.answers.grow(s.context, bytes(states)), s.status.grow(s.context, count * sizeof(int)),
          s.iterations.grow(s.context, count * sizeof(int)),
          s.tried.grow(s.context, count * sizeof(int)),
          s.errors.grow(s.context, count * sizeof(double))}) {
        if (!status) return status.error();
    }
    const auto given = [](const auto& v, const Buffer& buffer) {
        return v.empty() ? nullptr : buffer.as<const double>();
    };
    const Status solved = s.solve({.count = count,
                                   .points = given(problems.points, s.points),
                                   .orientations = given(problems.orientations, s.orientations),
                                   .weights = given(problems.weights, s.weights),
                                   .starts = s.starts.as<const double>()},
                                  {.states = s.answers.as<double>(),
                                   .status = s.status.as<int>(),
                                   .iterations = s.iterations.as<int>(),
                                   .attempts = s.tried.as<int>(),
                                   .errors = s.errors.as<double>()});
    if (!solved) return solved.error();
    std::vector<int> status(count), iterations(count), attempts(count);
    std::vector<double> errors(count);
    for (const Status& copied :
         {s.queue->copyOut(states.data(), s.answers.address(), bytes(states)),
          s.queue->copyOut(status.data(), s.status.address(), bytes(status)),
          s.queue->copyOut(iterations.data(), s.iterations.address(), bytes(iterations)),
          s.queue->copyOut(attempts.data(), s.tried.address(), bytes(attempts)),
          s.queue->copyOut(errors.data(), s.errors.address(), bytes(errors)), s.queue->wait()}) {
        if (!copied) return copied.error();
    }
    parallelFor(count, 1024, 0, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::span<double> dofs(out.dofs.data() + i * n, n);
            out.reports[i] = {static_cast<IkStatus>(status[i]), iterations[i], attempts[i],
                              errors[i]};
            if (out.reports[i].status == IkStatus::BadGoal) {
                const std::span<const double> start = startOf(i);
                std::copy(start.begin(), start.end(), dofs.begin());
                continue;
            }
            clampedStart(i, dofs);
            gpu::detail::computeDofs(skeleton, s.program,
                                     std::span(states).subspan(i * numbers, numbers), dofs);
        }
    });
    return out;
}

std::size_t GpuBatch::stateSize() const {
    return state_->numbers();
}

void GpuBatch::computeState(std::span<const double> dofs, std::span<double> state) const {
    gpu::detail::computeState(*state_->skeleton, state_->program, dofs, state);
}

void GpuBatch::computeDofs(std::span<const double> state, std::span<double> dofs) const {
    gpu::detail::computeDofs(*state_->skeleton, state_->program, state, dofs);
}

Status GpuBatch::computeStates(std::size_t count, const double* dofs, double* states) {
    const Current current(*state_->context);
    return state_->mapStates(count, dofs, states, true);
}

Status GpuBatch::computeDofs(std::size_t count, const double* states, double* dofs) {
    const Current current(*state_->context);
    return state_->mapStates(count, states, dofs, false);
}

void GpuBatch::setStream(GpuStream stream) {
    state_->queue->setStream(stream);
}

bool GpuBatch::isCompiled() const {
    return state_->module->isCompiled();
}

const std::string& GpuBatch::compilerMessage() const {
    return state_->message;
}

}  // namespace ulna
