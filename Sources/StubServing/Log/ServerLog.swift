package import Basics
import HTTPCodec
import HTTPServing
import ScenarioFormat
import Simulation
import TLS

/// Writes what happens, a line each, for a person who watches.
///
/// Exchanges are taken as the journal has them, and become lines when they are written: all that wait, together and in
/// their order, on a thread of the caller's choice. When they are not read, or cannot be written in time, lines are
/// dropped and counted: a log that is full must not stop the server.
/// A class, because everything that happens writes into the same one.
package final class ServerLog: Sendable {
    /// Takes bytes, and returns how many of them it took without waiting.
    package typealias Sink = @Sendable ([UInt8]) -> Int

    fileprivate enum Record: Sendable {
        case exchange(Exchange, session: String)
        case line(String)
    }

    /// The entries that are not formatted yet.
    private struct Queue {
        var records: [Record] = []
        var dropped = 0
        /// A Boolean value that indicates whether a thread is writing, which also writes entries added in the meantime.
        var isBeingWritten = false
    }

    /// The text that the sink has not accepted yet.
    fileprivate struct Output {
        var buffer: [UInt8] = []
        var dropped = 0
        var lines: ExchangeLines
    }

    private let sink: Sink
    private let paint: Paint
    // The second one is taken outside of the first one, and kept for as long as it takes to write.
    private let queue = Lock(Queue())
    private let output: Lock<Output>
    /// The maximum amount of text that is kept for a slow reader.
    private static let capacity = 1024 * 1024
    /// The maximum number of exchanges that wait to be written.
    private static let mostRecords = 16_384

    /// - Parameters:
    ///   - isColoured: whether the reader is a terminal that shows colours.
    ///   - sink: takes the text.
    package init(isColoured: Bool, sink: @escaping Sink) {
        paint = Paint(isColoured: isColoured)
        output = Lock(Output(lines: ExchangeLines(paint: Paint(isColoured: isColoured))))
        self.sink = sink
    }

    /// No observer: the journal has it all.
    package static var silent: ServerLog { ServerLog(isColoured: false) { $0.count } }

    /// Writes everything that waits; false when the reader has not taken all of it.
    @discardableResult
    package func flush() -> Bool {
        // The sink is called inside the lock, so that lines stay in order; it does not wait.
        output.withLock { output in
            while let records = takeRecords(&output) {
                for record in records { output.add(record, capacity: Self.capacity) }
                write(&output)
            }
            write(&output)
            return output.buffer.isEmpty
        }
    }

    /// The waiting text; `nil` if missing, and then the caller stops writing.
    private func takeRecords(_ output: inout Output) -> [Record]? {
        let (records, dropped) = queue.withLock { queue in
            defer {
                queue.records = []
                queue.dropped = 0
            }
            queue.isBeingWritten = !queue.records.isEmpty
            return (queue.records, queue.dropped)
        }
        output.dropped += dropped
        return records.isEmpty ? nil : records
    }

    private func write(_ output: inout Output) {
        if output.dropped > 0, output.buffer.count < Self.capacity {
            output.buffer += "\(output.dropped) lines were dropped because they could not be written in time\n".utf8
            output.dropped = 0
        }
        guard !output.buffer.isEmpty else { return }
        let taken = sink(output.buffer)
        if taken >= output.buffer.count {
            output.buffer.removeAll(keepingCapacity: true)
        } else if taken > 0 {
            output.buffer.removeFirst(taken)
        }
    }

    /// Takes an exchange for the next ``flush()``; true when it is the first one.
    func exchange(_ exchange: Exchange, session: String) -> Bool {
        queue.withLock { queue in
            guard queue.records.count < Self.mostRecords else {
                queue.dropped += 1
                return false
            }
            queue.records.append(.exchange(exchange, session: session))
            return queue.records.count == 1 && !queue.isBeingWritten
        }
    }

    private func add(_ line: String) {
        queue.withLock { $0.records.append(.line(line)) }
    }

    /// Writes what was added, unless another thread does so already.
    private func pushOn() {
        if !queue.withLock({ $0.isBeingWritten }) { flush() }
    }

    /// Writes a line at once.
    package func say(_ line: String) {
        add(line)
        pushOn()
    }

    package func report(_ findings: [Finding]) {
        guard !findings.isEmpty else { return }
        for finding in findings { add(paint(finding)) }
        pushOn()
    }

    func gate(_ opening: GateOpening, session: String) {
        say(GateLine(opening, session: session, paint: paint).text)
    }

    func refused(_ refusal: HTTPRefusal, from peer: Peer) {
        say(paint(.warning, "refused  \(refusal.status.code)  \(refusal.sentence)"))
    }

    func failed(_ failure: TLSFailure) {
        say(paint(.warning, "refused  TLS  \(failure.sentence)"))
    }

    func closed(unsent limit: Int) {
        say(paint(.warning, "closed  a connection whose client does not read: \(limit) bytes are unsent"))
    }

    func refused(_ problem: Problem) {
        say(paint(.warning, "refused  \(problem.status)  \(problem.detail)"))
    }

    func unfinished(_ request: UnfinishedRequest) {
        say(paint(.warning, "refused  \(request.status.code)  \(request.sentence)"))
    }

    func reloaded(_ loaded: LoadedScenario, after former: LoadedScenario) {
        report(loaded.findings)
        say(paint(.note, "reloaded  \(loaded.path)"))
        let renewed = loaded.scenario.collectionsStartingAnew(after: former.scenario)
        if !renewed.isEmpty { say(paint(.note, "\(renewed.joined(separator: ", ")): reset to the items in the file")) }
    }

    func keptLastVersion(_ findings: [Finding]) {
        report(findings)
        say(paint(.warning, "kept the last valid version; fix the file to load the new version"))
    }
}

extension ServerLog.Output {
    /// Turns a record into text, where there is room for it.
    fileprivate mutating func add(_ record: ServerLog.Record, capacity: Int) {
        guard buffer.count < capacity else {
            dropped += 1
            return
        }
        switch record {
        case .exchange(let exchange, let session): lines.append(exchange, session: session, to: &buffer)
        case .line(let line):
            buffer += line.utf8
            buffer.append(UInt8(ascii: "\n"))
        }
    }
}
