import Basics
import JSON
import ScenarioFormat

/// Finds the lines in fixtures and scenarios that responses come from.
///
/// A class, because the event loops share the fixtures that it has read. Nobody asks before a response has gone wrong, so
/// nothing is read for those that are right.
final class ResponseSources: Sendable {
    private let sources: SourceMap
    private let files: any FileReading
    /// By path; `nil` for a fixture that cannot be read any more.
    private let fixtures = Lock<[String: JSONValue?]>([:])

    init(_ sources: SourceMap, files: any FileReading) {
        self.sources = sources
        self.files = files
    }

    /// Where a response has the value of a pointer, or what is nearest to it: a member that is missing has no place.
    ///
    /// - Parameter pointer: into the body; `nil` for what is not in the body, which is at home where the response is.
    func place(of pointer: String?, in response: StubResponse) -> Place? {
        guard let pointer = pointer.flatMap({ JSONPointer($0) }) else {
            return sources.place(of: response.position)
        }
        if let fixture = response.fixture, let document = document(at: fixture.path) {
            return Place(file: fixture.path, position: pointer.nearest(in: document).position.text)
        }
        guard let body = response.tree["json"] else { return sources.place(of: response.position) }
        return sources.place(of: pointer.nearest(in: body).position)
    }

    private func document(at path: String) -> JSONValue? {
        if let known = fixtures.withLock({ $0[path] }) { return known }
        let document = (try? files.read(path)).flatMap { try? JSONParser().parse($0, ofFile: path).root }
        fixtures.withLock { $0[path] = .some(document) }
        return document
    }
}

extension JSONPointer {
    /// The value that it leads to, or the last one on the way that there is.
    fileprivate func nearest(in document: JSONValue) -> JSONValue {
        var pointer = self
        while true {
            if let value = pointer.value(in: document) { return value }
            guard !pointer.tokens.isEmpty else { return document }
            pointer.tokens.removeLast()
        }
    }
}
