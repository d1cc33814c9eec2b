import Foundation

/// A form of several parts (RFC 7578), written once, so that it is the same when it is sent again.
struct MultipartBody: Sendable {
    struct Part: Sendable {
        var name: String
        var fileName: String?
        var mediaType: String?
        var content: Data
    }

    var parts: [Part] = []
    /// What separates the parts; must not occur in any of them.
    var boundary = "backlot-\(UUID().uuidString)"

    mutating func add(_ name: String, _ text: String) {
        parts.append(Part(name: name, content: Data(text.utf8)))
    }

    mutating func add(_ name: String, file content: Data, named fileName: String, _ mediaType: String) {
        parts.append(Part(name: name, fileName: fileName, mediaType: mediaType, content: content))
    }

    var mediaType: String { "multipart/form-data; boundary=\(boundary)" }

    var data: Data {
        var data = Data()
        for part in parts {
            data.append(Data("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name.quotable)\"".utf8))
            if let fileName = part.fileName { data.append(Data("; filename=\"\(fileName.quotable)\"".utf8)) }
            if let mediaType = part.mediaType { data.append(Data("\r\nContent-Type: \(mediaType)".utf8)) }
            data.append(Data("\r\n\r\n".utf8))
            data.append(part.content)
            data.append(Data("\r\n".utf8))
        }
        data.append(Data("--\(boundary)--\r\n".utf8))
        return data
    }
}

extension String {
    /// Quotation marks and line ends percent-encoded, as browsers do it (WHATWG HTML, multipart form data).
    fileprivate var quotable: String {
        replacingOccurrences(of: "\r", with: "%0D").replacingOccurrences(of: "\n", with: "%0A")
            .replacingOccurrences(of: "\"", with: "%22")
    }
}
