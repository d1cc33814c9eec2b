package import Basics
import HTTPCodec
import HTTPServing
import ScenarioFormat
import Simulation

/// Writes what happens, a line each, for a person who watches.
///
/// Lines are collected and handed on together, so that a thousand exchanges do not cost a thousand system calls. When
/// nobody reads them, lines are dropped and counted: a log that is full must not stop the server.
/// A class, because everything that happens writes into the same one.
package final class ServerLog: Sendable {
    /// Takes bytes, and returns how many of them it took without waiting.
    package typealias Sink = @Sendable ([UInt8]) -> Int

    private struct Contents {
        var buffer: [UInt8] = []
        var dropped = 0
    }

    private let sink: Sink
    private let contents = Lock(Contents())
    private let paint: Paint
    /// A buffer that is this large is handed on at once.
    private static let batch = 64 * 1024
    /// How much is kept for a reader that takes its time.
    private static let capacity = 1024 * 1024

    /// - Parameters:
    ///   - isColoured: whether the reader is a terminal that shows colours.
    ///   - sink: takes the text.
    package init(isColoured: Bool, sink: @escaping Sink) {
        paint = Paint(isColoured: isColoured)
        self.sink = sink
    }

    /// Hands on what there is; false when the reader has not taken all of it.
    @discardableResult
    package func flush() -> Bool {
        // The sink is called inside the lock, so that lines stay in order; it does not wait.
        contents.withLock { contents in
            if contents.dropped > 0, contents.buffer.count < Self.capacity {
                contents.buffer += "\(contents.dropped) lines were dropped, because they were not read\n".utf8
                contents.dropped = 0
            }
            guard !contents.buffer.isEmpty else { return true }
            let taken = sink(contents.buffer)
            if taken >= contents.buffer.count {
                contents.buffer.removeAll(keepingCapacity: true)
            } else if taken > 0 {
                contents.buffer.removeFirst(taken)
            }
            return contents.buffer.isEmpty
        }
    }

    private func add(_ line: String) {
        let isFull = contents.withLock { contents in
            guard contents.buffer.count < Self.capacity else {
                contents.dropped += 1
                return false
            }
            contents.buffer += line.utf8
            contents.buffer.append(UInt8(ascii: "\n"))
            return contents.buffer.count > Self.batch
        }
        if isFull { flush() }
    }

    /// Writes a line at once.
    package func say(_ line: String) {
        add(line)
        flush()
    }

    package func report(_ findings: [Finding]) {
        guard !findings.isEmpty else { return }
        for finding in findings { add(paint(finding)) }
        flush()
    }

    func exchange(_ exchange: Exchange, session: String) {
        add(ExchangeLine(exchange, session: session, paint: paint).text)
        if let line = ContractLine(exchange, paint: paint) { add(line.text) }
    }

    func gate(_ opening: GateOpening, session: String) {
        say(GateLine(opening, session: session, paint: paint).text)
    }

    func refused(_ refusal: HTTPRefusal, from peer: Peer) {
        say(paint(.warning, "refused  \(refusal.status.code)  \(refusal.sentence)"))
    }

    func unfinished(_ request: UnfinishedRequest) {
        say(paint(.warning, "refused  \(request.status.code)  \(request.sentence)"))
    }

    func reloaded(_ loaded: LoadedScenario, after former: LoadedScenario) {
        report(loaded.findings)
        say(paint(.note, "reloaded  \(loaded.path)"))
        let renewed = loaded.scenario.collectionsStartingAnew(after: former.scenario)
        if !renewed.isEmpty { say(paint(.note, "the items of \(renewed.joined(separator: ", ")) start anew")) }
    }

    func keptLastVersion(_ findings: [Finding]) {
        report(findings)
        say(paint(.warning, "kept the last good version; fix the file, and it is loaded at once"))
    }
}

/// One opening of a gate as one line: virtual time, gate, what it waited for and what came.
struct GateLine {
    let text: String

    init(_ opening: GateOpening, session: String, paint: Paint) {
        var columns = [paint(.grey, ExchangeLine.stamp(opening.time))]
        if session != Session.defaultName { columns.append(paint(.grey, session)) }
        let name = opening.gate.printable
        let gate = name.hasPrefix("gate ") ? name : "gate \(name)"
        columns.append(paint(opening.cause == .quiet ? .yellow : .cyan, "\(gate) \(opening.sentence)"))
        text = columns.joined(separator: "  ")
    }
}

/// What the contract does not allow in an exchange, as one short line under the exchange's own.
struct ContractLine {
    let text: String

    /// `nil` when there is nothing to say; what is so on purpose, and what is only a note, is in the journal.
    init?(_ exchange: Exchange, paint: Paint) {
        let violations = exchange.violations.filter { violation in
            // That nobody knows the request, the exchange's own line says.
            !violation.isDeliberate && violation.severity > .note
                && (violation.part != "operation" || exchange.route != nil)
        }
        guard let first = violations.first(where: { $0.severity == .error }) ?? violations.first else { return nil }
        let place = first.pointer.map { $0.isEmpty ? "" : " \($0)" } ?? ""
        var line = "\(first.side.rawValue) \(first.part)\(place): \(first.message)"
        if line.utf8.count > 300 { line = "\(line.prefix(300))…" }
        if violations.count > 1 { line += " (and \(violations.count - 1) more)" }
        text = "  contract: " + paint(first.severity, line)
    }
}
