#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The exclusive use of a folder, until the lock is released or its process ends in any way.
///
/// A class, because the last reference closes the descriptor that has the lock.
package final class FolderLock: Sendable {
    private let descriptor: Int32

    /// - Returns: `nil` if another lock has the folder. A file system without locks refuses none.
    package init?(_ folder: String) throws(FileProblem) {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileProblem(writing: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
        close(descriptor)
        return nil
    }

    deinit {
        guard descriptor >= 0 else { return }
        // A process that is being started may have a copy of the descriptor until it runs its program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
