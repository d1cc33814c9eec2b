// What Swift's runtime exports and declares in no header. The first two are exported by every runtime since Swift 5.5,
// swift_task_getMainExecutor_hook since 6.2, the others since 5.7. Weak, so that a runtime without one of them has NULL
// here; found by the linker and not by dlsym, which sees nothing of a runtime that is linked statically. Not for Apple's
// platforms, where the runtime is always a separate library and dlsym finds its symbols.
#pragma once

extern void *swift_task_enqueueGlobal_hook __attribute__((weak));
extern void *swift_task_enqueueGlobalWithDelay_hook __attribute__((weak));
extern void *swift_task_enqueueGlobalWithDeadline_hook __attribute__((weak));
extern void *swift_task_getMainExecutor_hook __attribute__((weak));
// Only their addresses are used: Swift gives them their types.
extern void swift_get_time(void) __attribute__((weak));
extern void swift_task_getJobTaskId(void) __attribute__((weak));

static inline void *ctask_global_hook(void) { return &swift_task_enqueueGlobal_hook; }
static inline void *ctask_delay_hook(void) { return &swift_task_enqueueGlobalWithDelay_hook; }
static inline void *ctask_deadline_hook(void) { return &swift_task_enqueueGlobalWithDeadline_hook; }
static inline void *ctask_main_executor_hook(void) { return &swift_task_getMainExecutor_hook; }
static inline void *ctask_get_time(void) { return (void *)&swift_get_time; }
static inline void *ctask_get_job_number(void) { return (void *)&swift_task_getJobTaskId; }
