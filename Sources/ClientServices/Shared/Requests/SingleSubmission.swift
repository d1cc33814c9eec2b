/// Sends the same thing once, even if its button is tapped again during the call.
///
/// A second submission of what is under way gets the result of the first one, success or failure.
actor SingleSubmission<Key: Hashable & Sendable, Value: Sendable, Failure: Error> {
    private var running: [Key: Task<Result<Value, Failure>, Never>] = [:]

    init() {}

    /// Does the work, unless the same is being done: then waits for that.
    func submit(
        _ key: Key,
        _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if let task = running[key] { return try await task.value.get() }
        let task = Task {
            let result: Result<Value, Failure>
            do throws(Failure) {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            finish(key)
            return result
        }
        running[key] = task
        return try await task.value.get()
    }

    private func finish(_ key: Key) { running[key] = nil }
}
