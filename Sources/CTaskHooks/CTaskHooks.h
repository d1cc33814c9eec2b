// Where Swift's runtime lets a program take the jobs of the global executor, and name the executor of the main actor.
// The variables are exported and declared in no header: the first two by every runtime since Swift 5.5, the third since
// 5.7, the last since 6.2. Weak, so that a runtime without one of them has NULL here; found by the linker and not by
// dlsym, which sees nothing of a runtime that is linked statically.
#pragma once

extern void *swift_task_enqueueGlobal_hook __attribute__((weak));
extern void *swift_task_enqueueGlobalWithDelay_hook __attribute__((weak));
extern void *swift_task_enqueueGlobalWithDeadline_hook __attribute__((weak));
extern void *swift_task_getMainExecutor_hook __attribute__((weak));

static inline void **ctask_global_hook(void) { return &swift_task_enqueueGlobal_hook; }
static inline void **ctask_delay_hook(void) { return &swift_task_enqueueGlobalWithDelay_hook; }
static inline void **ctask_deadline_hook(void) { return &swift_task_enqueueGlobalWithDeadline_hook; }
static inline void **ctask_main_executor_hook(void) { return &swift_task_getMainExecutor_hook; }

// The present moment of one of the runtime's clocks, as deadlines have it; 0 where the runtime does not tell.
extern __attribute__((swiftcall)) void swift_get_time(long long *seconds, long long *nanoseconds, int clock)
    __attribute__((weak));

static inline long long ctask_nanoseconds(int clock) {
    long long seconds = 0, nanoseconds = 0;
    if (&swift_get_time == 0) return 0;
    swift_get_time(&seconds, &nanoseconds, clock);
    return seconds * 1000000000LL + nanoseconds;
}

// A number that no other task of the process ever has.
extern __attribute__((swiftcall)) unsigned long long swift_task_getJobTaskId(void *job) __attribute__((weak));

static inline unsigned long long ctask_job_number(void *job) {
    return &swift_task_getJobTaskId == 0 ? 0 : swift_task_getJobTaskId(job);
}
