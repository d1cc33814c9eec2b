package import Basics
import JSON
package import ScenarioFormat

/// A message of an open stream: an event, a line, a message of a WebSocket, or its end.
package struct StreamMessage: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A server-sent event, or a comment.
        case event
        /// A line of JSON.
        case line
        case text
        case binary
        case pong
        /// A close frame.
        case close
        /// The client broke the protocol; the text says how.
        case fault
        /// The server ended a stream that has no frames; the text says why.
        case end
    }

    package enum Sender: String, Sendable, CaseIterable {
        case server
        case client
    }

    /// When it was sent or had arrived, on the session's clock.
    package var time: VirtualTime
    /// The same on the machine's clock.
    package var moment: MonotonicTime
    package var sender = Sender.server
    package var kind: Kind
    /// The identifier of an event.
    package var id: String?
    /// The time for which an event asks the client to wait before it connects again.
    package var retry: Duration?
    /// The code of a close frame, or of the close that a fault leads to.
    package var code: Int?
    /// A Boolean value that indicates whether the stream ends because its token is not valid any more.
    package var isRefusal = false
    /// The data, or as much of it as is kept; of bytes nothing.
    package private(set) var text: String
    /// The size of the data, in bytes.
    package private(set) var size: Int

    /// The maximum length of a message's text in the journal, in bytes.
    package static let textLimit = 200
    /// The number of messages that the journal keeps of a stream: the newest.
    package static let mostKept = 100

    /// - Parameter text: the whole text.
    package init(_ kind: Kind, at time: VirtualTime, _ moment: MonotonicTime, text: String = "") {
        (self.kind, self.time, self.moment) = (kind, time, moment)
        size = text.utf8.count
        self.text = Self.shortened(text)
    }

    /// A message of bytes, of which their number is kept.
    package init(binary size: Int, at time: VirtualTime, _ moment: MonotonicTime) {
        (kind, self.time, self.moment, self.size, text) = (.binary, time, moment, size, "")
    }

    private static func shortened(_ text: String) -> String {
        guard text.utf8.count > textLimit else { return text }
        var (end, length) = (text.startIndex, 0)
        while end < text.endIndex {
            length += text.unicodeScalars[end].utf8.count
            guard length <= textLimit else { break }
            end = text.unicodeScalars.index(after: end)
        }
        return String(text[..<end])
    }

    /// About how many bytes the journal keeps for it.
    var weight: Int { MemoryLayout<StreamMessage>.stride + text.utf8.count + (id?.utf8.count ?? 0) }
}

/// The messages of one stream that the journal keeps.
package struct StreamMessages: Sendable, Hashable {
    /// The oldest first.
    package private(set) var kept: [StreamMessage] = []
    /// The number of older ones that were dropped.
    package private(set) var dropped = 0

    package init() {}

    package var isEmpty: Bool { kept.isEmpty }

    /// - Returns: by how many bytes what is kept has grown.
    @discardableResult
    mutating func append(_ message: StreamMessage) -> Int {
        kept.append(message)
        guard kept.count > StreamMessage.mostKept else { return message.weight }
        dropped += 1
        return message.weight - kept.removeFirst().weight
    }
}

extension StreamMessages {
    /// Lists the members of a stream's exchange that hold its messages.
    mutating func list(in form: inout RecordedForm) {
        form.member("messages", &kept, unless: [])
        form.member("droppedMessages", &dropped.asCount, unless: 0)
    }
}

extension StreamMessage: RecordedObject {
    package init() { self.init(.event, at: VirtualTime(seconds: 0), MonotonicTime(nanoseconds: 0)) }

    package mutating func list(in form: inout RecordedForm) {
        form.member("time", &time)
        if !form.style.isCanonical, let epoch = form.style.epoch { form.member("atMilliseconds", &moment, or: epoch) }
        form.member("from", &sender)
        form.member("kind", &kind)
        form.member("id", &id)
        form.member("retryMilliseconds", &retry, in: .milliseconds)
        form.member("code", &code)
        form.member("refused", &isRefusal, unless: false)
        form.member("text", &text, unless: "")
        form.member("bytes", &size.asCount)
    }
}

extension StreamMessage.Sender: Recorded {}

extension StreamMessage.Kind: Recorded {}
