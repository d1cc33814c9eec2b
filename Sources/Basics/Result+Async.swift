extension Result where Success: Sendable {
    /// What an asynchronous function returns or throws, for a caller with something left to do in either case.
    package init(of body: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
