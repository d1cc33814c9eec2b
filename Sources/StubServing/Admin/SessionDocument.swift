import Basics
import HTTPCodec
import HTTPServing
import JSON
package import Rules
package import ScenarioFormat
package import Simulation

/// A document that the admin API makes of what has happened in a session, such as a report.
///
/// The server is given them when it is made, because reports and archives are made of more than a server knows.
package struct SessionDocument: Sendable {
    /// The source data of a document.
    package struct Source: Sendable {
        package var recording: Recording
        package var session: Session
        package var loaded: LoadedScenario
    }

    /// The name after `documents/` in the path.
    package var name: String
    package var contentType: String
    /// The name of the file that a browser saves it as.
    package var file: String
    package var make: @Sendable (Source) -> String

    package init(
        _ name: String,
        contentType: String,
        file: String,
        make: @escaping @Sendable (Source) -> String
    ) {
        self.name = name
        self.contentType = contentType
        self.file = file
        self.make = make
    }
}

extension AdminAPI {
    /// The names of the documents that this server makes.
    func documents(_ call: Call) -> JSONValue {
        ["documents": .array(handler.configuration.documents.map { .string($0.name) })]
    }

    /// One of them, as a file to save: what clients have sent is in it, and no browser is to run it here.
    func document(_ call: Call) throws(AdminError) -> OutgoingResponse {
        let documents = handler.configuration.documents
        guard let document = documents.first(where: { $0.name.exact == (call.name ?? "").exact }) else {
            let list = documents.isEmpty ? "none" : documents.map(\.name).joined(separator: ", ")
            throw .notFound("Unknown document \"\((call.name ?? "").printable)\". Use \(list).")
        }
        let (session, loaded, now) = call.session.copy(at: call.now)
        let recording = Recording(session, file: loaded.path, in: loaded.sources, isProvisional: true, at: now)
        let text = document.make(SessionDocument.Source(recording: recording, session: session, loaded: loaded))
        let fields: HTTPFields = [
            "Content-Type": document.contentType,
            "Content-Disposition": "attachment; filename=\"\(document.file)\"",
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store",
            "Server": "Backlot",
        ]
        return OutgoingResponse(HTTPResponse(status: .ok, fields: fields, body: Array(text.utf8)))
    }
}
