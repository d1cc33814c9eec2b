package import Findings
import HTTPServing
import HTTPWire
import ScenarioFormat
import Simulation
import Synchronization

/// Writes what happens, a line each, for a person who watches.
///
/// Lines are collected and handed on together, so that a thousand exchanges do not cost a thousand system calls.
/// A class, because everything that happens writes into the same one.
package final class ServerLog: Sendable {
    private let sink: @Sendable ([UInt8]) -> Void
    private let buffer = Mutex<[UInt8]>([])
    private let paint: Paint
    /// A buffer that is this large is handed on at once.
    private static let capacity = 64 * 1024

    /// - Parameters:
    ///   - isColoured: whether the reader is a terminal that shows colours.
    ///   - sink: takes whole lines.
    package init(isColoured: Bool, sink: @escaping @Sendable ([UInt8]) -> Void) {
        paint = Paint(isColoured: isColoured)
        self.sink = sink
    }

    package func flush() {
        // The sink is called inside the lock, so that lines stay in order.
        buffer.withLock { buffer in
            guard !buffer.isEmpty else { return }
            sink(buffer)
            buffer.removeAll(keepingCapacity: true)
        }
    }

    private func add(_ line: String) {
        let isFull = buffer.withLock { buffer in
            buffer += line.utf8
            buffer.append(UInt8(ascii: "\n"))
            return buffer.count > Self.capacity
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
    }

    func refused(_ refusal: HTTPRefusal, from peer: Peer) {
        say(paint(.warning, "refused  \(refusal.status.code)  \(refusal.sentence.escapingControls)"))
    }

    func tooSlow(_ request: UnfinishedRequest) {
        say(paint(.warning, "refused  408  \(request.sentence)"))
    }

    func reloaded(_ loaded: LoadedScenario) {
        report(loaded.findings)
        say(paint(.note, "reloaded  \(loaded.path)"))
    }

    func keptLastVersion(_ findings: [Finding]) {
        report(findings)
        say(paint(.warning, "kept the last good version; mend the file and it is taken at once"))
    }
}
