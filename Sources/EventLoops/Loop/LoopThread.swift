import Basics

/// Threads for loops: started once, never joined; a loop says by message when it has ended.
package enum LoopThread {
    /// Runs the body on a thread of its own, with a stack deep enough for recursive handlers.
    package static func start(_ body: sending @escaping () -> Void) throws(SystemError) {
        do throws(DeepStack.StartFailure) {
            try DeepStack.startThread(body)
        } catch {
            throw SystemError("pthread_create", ErrorNumber(rawValue: error.code))
        }
    }
}
