// Runs the kernels on a processor, lane by lane, for tests on machines without a GPU.
//
// Every lane is a fiber; fibers switch only inside collective operations, barriers and waits. A
// collective checks that all lanes of the warp meet in the same kind of operation.
// Nothing here is of C++'s library, which takes as long to compile and link as most kernels.
#pragma once
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" double ceil(double), floor(double), rint(double), sqrt(double);

#ifndef WARP
#define WARP 32
#endif
#define DEVICE inline
#define APART inline
#define KERNEL(threads, blocks) extern "C" void
#define BY_VALUE(type) const type*
template <class T> inline const T& argument(const T* given) { return *given; }
#define DYNAMIC_SHARED(name) uint4* name = (uint4*)emulated_shared()
#if WARP == 64
typedef u64 lanes_t;
#else
typedef u32 lanes_t;
#endif

struct alignas(16) uint4 { u32 x, y, z, w; };
struct Index { int x; };

struct Meeting { int kind = 0, arrived = 0; unsigned generation = 0; int values[2][WARP]; };

// From one stack to another. The library's own way asks the system to change the mask of signals at
// each switch, which takes fifty times as long.
#if defined(__x86_64__)
struct Context { void* top; };
asm(R"(
    .text
    .p2align 4
    .type emulated_switch, @function
emulated_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size emulated_switch, .-emulated_switch
)");
extern "C" __attribute__((visibility("hidden"))) void emulated_switch(void** from, void* to);
static void change(Context& from, Context& to) { emulated_switch(&from.top, to.top); }
static void prepare(Context& context, char* stack, size_t size, void (*begin)())
{
    // What the switch takes from the stack: six registers, and where to go on; it begins as a
    // function that was called.
    void** top = (void**)(((size_t)stack + size) & ~(size_t)15) - 1;
    *top = nullptr;
    *--top = (void*)begin;
    for (int k = 0; k < 6; k++) *--top = nullptr;
    context.top = top;
}
#else
#include <ucontext.h>
typedef ucontext_t Context;
static void change(Context& from, Context& to) { swapcontext(&from, &to); }
static void prepare(Context& context, char* stack, size_t size, void (*begin)())
{
    getcontext(&context);
    context.uc_stack.ss_sp = stack;
    context.uc_stack.ss_size = size;
    makecontext(&context, begin, 0);
}
#endif

struct Fiber { Context context; char* stack; int thread, block; bool done; };

// A kernel that runs. Several threads may each run one, in turns: all lanes of one until each has
// waited for something, or ended, then all lanes of another.
struct Search;
struct Launch {
    Launch* next; // that waits to be used again
    Fiber* fibers;
    int stacks;
    Meeting* meetings;
    Meeting* blocks;
    char* shared_memory; // that of a block after another's
    size_t shared_size;
    void (*kernel)(Search*);
    Search* argument;
};

static Context scheduler;
static Launch* launch;
static Fiber* current;
static Index threadIdx, blockIdx, blockDim, gridDim;
static Launch* spare;
static unsigned next_turn, whose_turn;
// A test may set the clock, how far each look at it moves it on, whether a lane that looks at it lets
// the others go first, and whether the last lanes begin.
extern "C" { u64 clock_ticks = 0, clock_step = 1, clock_yields = 0, last_first = 0; }

static void yield() { change(current->context, scheduler); }
static void* emulated_shared() { return launch->shared_memory + current->block * launch->shared_size; }

static Meeting& meet(Meeting& m, int kind, int members)
{
    if (m.arrived && m.kind != kind) {
        fprintf(stderr, "lanes of one warp met in different operations: %d, %d\n", m.kind, kind);
        abort();
    }
    m.kind = kind;
    const unsigned generation = m.generation;
    if (++m.arrived == members) { m.arrived = 0; m.generation++; }
    else while (m.generation == generation) yield();
    return m;
}

static const int* exchange(int kind, int value)
{
    Meeting& m = launch->meetings[(current->block * blockDim.x + current->thread) / WARP];
    const int* values = m.values[m.generation & 1];
    m.values[m.generation & 1][current->thread % WARP] = value;
    meet(m, kind, WARP);
    return values;
}

inline lanes_t warp_ballot(bool p)
{
    const int* v = exchange(1, p);
    lanes_t set = 0;
    for (int l = 0; l < WARP; l++) set |= (lanes_t)(v[l] != 0) << l;
    return set;
}
inline int warp_shuffle(int v, int source) { return exchange(2, v)[source & (WARP - 1)]; }
inline int warp_shuffle_up(int v, int d)
{
    const int* all = exchange(3, v);
    const int l = current->thread % WARP;
    return all[l >= d ? l - d : l];
}
inline void warp_sync() { exchange(4, 0); }
inline void block_sync() { meet(launch->blocks[current->block], 5, blockDim.x); }
inline u64 ticks()
{
    if (clock_yields) yield();
    return clock_ticks += clock_step;
}
inline void sleep_briefly() { yield(); }
inline void relax() { yield(); }
inline void release_add(u32* p, u32 v) { *p += v; }
inline u32 glance(const u32* p) { return *p; }
inline void acquire() {}
inline void fence() {}

inline int __popc(u32 v) { return __builtin_popcount(v); }
inline int __popcll(u64 v) { return __builtin_popcountll(v); }
inline int __ffsll(i64 v) { return __builtin_ffsll(v); }
template <class T> inline T atomicAnd(T* p, T v) { T old = *p; *p &= v; return old; }
template <class T> inline T atomicOr(T* p, T v) { T old = *p; *p |= v; return old; }
inline int __ffs(u32 v) { return __builtin_ffs((int)v); }
template <class T> inline T atomicAdd(T* p, T v) { T old = *p; *p += v; return old; }
template <class T> inline T atomicSub(T* p, T v) { T old = *p; *p -= v; return old; }
template <class T> inline T atomicMin(T* p, T v) { T old = *p; if (v < old) *p = v; return old; }
template <class T> inline T atomicMax(T* p, T v) { T old = *p; if (v > old) *p = v; return old; }
template <class T> inline T atomicExch(T* p, T v) { T old = *p; *p = v; return old; }
template <class T> inline T atomicCAS(T* p, T expected, T v)
{
    T old = *p;
    if (old == expected) *p = v;
    return old;
}

static void start()
{
    launch->kernel(launch->argument);
    current->done = true;
    yield();
}

static void begin_turn()
{
    const unsigned mine = __atomic_fetch_add(&next_turn, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&whose_turn, __ATOMIC_SEQ_CST) != mine) sched_yield();
}
static void end_turn() { __atomic_fetch_add(&whose_turn, 1, __ATOMIC_SEQ_CST); }

// Launch a kernel and run it to its end.
extern "C" void emulate(void (*kernel)(Search*), Search* search, int grid, int block, int shared_bytes)
{
    const size_t stack = 1 << 17;
    const int lanes = grid * block;
    begin_turn();
    Launch* mine = spare ? spare : (Launch*)calloc(1, sizeof(Launch));
    spare = mine->next;
    mine->kernel = kernel;
    mine->argument = search;
    if (mine->stacks < lanes) mine->fibers = (Fiber*)realloc(mine->fibers, lanes * sizeof(Fiber));
    while (mine->stacks < lanes) mine->fibers[mine->stacks++].stack = (char*)malloc(stack);
    free(mine->meetings);
    free(mine->blocks);
    free(mine->shared_memory);
    mine->meetings = (Meeting*)calloc(lanes / WARP, sizeof(Meeting));
    mine->blocks = (Meeting*)calloc(grid, sizeof(Meeting));
    mine->shared_size = ((size_t)shared_bytes + 15) & ~(size_t)15;
    mine->shared_memory = (char*)calloc(grid, mine->shared_size + 1);
    for (int i = 0; i < lanes; i++) {
        Fiber& f = mine->fibers[i];
        f.thread = i % block;
        f.block = i / block;
        f.done = false;
        prepare(f.context, f.stack, stack, start);
    }
    for (int left = lanes; left;) {
        launch = mine;
        gridDim.x = grid;
        blockDim.x = block;
        for (int turn = 0; turn < lanes; turn++) {
            const int i = last_first ? lanes - 1 - turn : turn;
            if (mine->fibers[i].done) continue;
            current = &mine->fibers[i];
            threadIdx.x = current->thread;
            blockIdx.x = current->block;
            change(scheduler, current->context);
            left -= current->done;
        }
        end_turn();
        begin_turn();
    }
    mine->next = spare;
    spare = mine;
    end_turn();
}
