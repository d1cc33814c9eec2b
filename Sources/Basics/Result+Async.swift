extension Result where Success: Sendable {
    /// The result of an asynchronous function, for a caller with something left to do in either case.
    package init(of body: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
