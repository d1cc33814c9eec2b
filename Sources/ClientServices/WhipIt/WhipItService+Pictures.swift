public import Foundation

extension WhipItService {
    /// Fetches a picture, within the session like everything else: the server gives pictures to those who are signed in.
    ///
    /// - Parameter path: what a post or profile names, such as `uploads/posts/1702144377001.jpeg`; a slash before it and
    ///   the server's own address before it do no harm.
    /// - Throws: ``WhipIt/Status/invalidAddress`` when there is no such picture, and ``WhipItError/unsendable(_:)``
    ///   for an address elsewhere, which must not see the tokens.
    /// - Returns: the file as it was sent: JPEG, PNG, GIF, or a PDF document.
    public func picture(at path: String) async throws(WhipItError) -> Data {
        var base = client.baseURL.absoluteString
        if !base.hasSuffix("/") { base += "/" }
        let relative = path.hasPrefix(base) ? String(path.dropFirst(base.count)) : path
        let segments = relative.split(separator: "/").map(String.init)
        guard !segments.isEmpty, !relative.contains("://"), !segments.contains("..") else {
            throw .unsendable("\(path) is no picture of this server")
        }
        return try await ask(
            Endpoint(method: .get, path: segments) { response throws(ServiceProblem) in
                guard response.isSuccess else { throw .status(response) }
                return response.body
            }
        )
    }
}
