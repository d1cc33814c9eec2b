import Basics
import JSON

/// The messages that an event sends over open streams.
package struct StreamPush: Sendable {
    /// The key of the route whose streams they are.
    package var route = ""
    package var events: [EventStream.Event] = []
    /// The end of the streams after them, with code and reason for WebSockets; `nil` if they stay open.
    package var close: WebSocketScript.Close?
    package var devices = Event.DeviceSelection.every

    /// A short description of the event.
    var words: String {
        let count = events.count
        let sent =
            count == 0
            ? [] : ["\(count == 1 ? "an event is sent" : "\(count) events are sent") to the streams of \(route)"]
        return (sent + (close == nil ? [] : ["the streams of \(route) end"])).joined(separator: ", and ")
    }
}

extension StreamPush: ModelObject {
    static let keys = Keys(
        "pushEvent",
        "a \"push\" event",
        "events are sent over open streams",
        rules: [
            ObjectRule(
                .any([.member("events", .filled), .has("close")]),
                "scenario/idle-event",
                "found neither \"events\" nor \"close\", so nothing is sent",
                advice: "add \"events\", or \"close\" to end the streams"
            )
        ]
    ) {
        Key(
            "push",
            \.route,
            .of(.text(.route)) { name, tree, builder in
                builder.expectStream(name, at: tree.position)
                return name
            },
            "The route whose open streams receive the events or WebSocket messages."
        )
        .required.example("GET /progress")
        Key("events", \.events, .list(of: .object))
            .summary(
                """
                The events to send. A client that reconnects with `Last-Event-ID` receives the events after that ID, \
                except events without an "id".
                """
            ).example([["id": "7", "json": ["progress": 70]]])
        Key(
            "close",
            \.close,
            .object,
            "Closes the streams after the events. The close code applies only to WebSockets."
        )
        .example(["code": 4000])
        Key("device", \.devices, .devices, "The device whose streams receive the events.")
            .otherwise("every device").example("phone")
    }
}

extension ScenarioBuilder {
    /// Reports a route that no stream can be open on.
    fileprivate mutating func expectStream(_ key: String, at position: JSONPosition) {
        expectRoute(key, at: position)
        guard let route = root["routes"].members.last(where: { $0.name.exact == key.exact })?.value else { return }
        let cases = route["cases"]?.array ?? []
        let responses = ([route] + cases).flatMap { [$0] + ($0["responses"]?.array ?? []) }
        guard !responses.contains(where: { $0["events"] != nil || $0["webSocket"] != nil }) else {
            return
        }
        report(
            "scenario/no-stream",
            "no response of \(key) is a stream, so nothing can be sent to this route",
            at: position,
            advice: "add \"events\" or \"webSocket\" to one of the route's responses"
        )
    }
}
