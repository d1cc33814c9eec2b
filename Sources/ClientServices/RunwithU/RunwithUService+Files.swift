import Foundation

extension RunwithUService {
    /// Uploads the files of a post that is written afterwards.
    ///
    /// - Parameter attachments: one to five files.
    /// - Returns: where they are, in the order given.
    /// - Throws: ``RunwithUError/invalidRequest(message:)`` for a file that is too large or none that the server takes,
    ///   ``RunwithUError/unsendable(_:)`` for no file and for too many.
    public func upload(_ attachments: [RunwithU.Attachment]) async throws(RunwithUError) -> [String] {
        guard (1...RunwithU.Attachment.mostPerPost).contains(attachments.count) else {
            throw .unsendable("\(attachments.count) files are to be uploaded, and it takes one to five at a time")
        }
        var form = MultipartBody()
        for attachment in attachments {
            let name = attachment.fileName("postImage")
            form.add("files", file: attachment.content, named: name, attachment.mediaType)
        }
        let uploaded: RunwithUUpload = try await ask(.json(.post, "v1", "posts", "files", body: .multipart(form)))
        return uploaded.files
    }

    /// Fetches a picture that a post or a profile names.
    ///
    /// Pictures need the key and the session as any other call does, and share its refresh.
    ///
    /// - Parameter path: as the server wrote it, such as `uploads/posts/postImage_1725170012345.png`.
    /// - Throws: ``RunwithUError/unknownAddress(message:)`` when there is no such picture,
    ///   ``RunwithUError/unsendable(_:)`` for an address elsewhere, which must not see the tokens.
    public func file(at path: String) async throws(RunwithUError) -> RunwithU.File {
        let segments = path.split(separator: "/").map(String.init)
        // A path that climbs or names another server would carry the session's token somewhere else.
        guard segments.count >= 2, segments.first == "uploads", !segments.contains(".."), !segments.contains(".") else {
            throw .unsendable("\(path) is no path of a picture, such as uploads/posts/a.png")
        }
        let endpoint = Endpoint<RunwithU.File>(method: .get, path: ["v1"] + segments) {
            response throws(ServiceProblem) in
            guard response.isSuccess else { throw .status(response) }
            return RunwithU.File(content: response.body, mediaType: response.fields["Content-Type"])
        }
        return try await ask(endpoint)
    }
}

/// The answer to an upload.
struct RunwithUUpload: Decodable, Sendable {
    var files: [String]
}
