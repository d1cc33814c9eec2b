import Basics
import Foundation
import Rules
import ScenarioFormat

@testable import ReferenceClients

/// Every client with every bug, and without any, in every case, by many schedules.
struct Matrix: Sendable {
    /// How many times as many schedules as usual: `BACKLOT_SCHEDULES=25 swift test`.
    static let breadth = ProcessInfo.processInfo.environment["BACKLOT_SCHEDULES"].flatMap { UInt64($0) } ?? 1
    /// The seeds by which each client with a bug plays the bug's case.
    static let schedules = 1...10 * max(1, breadth)

    /// The seeds by which each correct client plays a case; many where a race is to take place, since those count.
    static func correctSchedules(of bugCase: BugCase) -> ClosedRange<UInt64> {
        1_000_001...1_000_000 + (bugCase.isRace ? 26 : 3) * max(1, breadth)
    }

    private(set) var cells: [MatrixCell] = []
    private(set) var correct: [CorrectRow] = []

    /// What the plays of a correct client have shown.
    struct CorrectRow: Sendable {
        let design: ClientDesign
        fileprivate(set) var plays = 0
        /// Those of scenes with a race in which it took place, and in which it did not.
        fileprivate(set) var races = 0
        fileprivate(set) var raceless = 0
        /// What was wrong, with the case and the seed; there should be nothing.
        fileprivate(set) var alarms: [Alarm] = []
    }

    /// A finding in the play of a client that has done nothing wrong.
    struct Alarm: Sendable {
        let bugCase: String
        let words: String
    }

    /// Plays everything, the clients beside each other.
    @available(macOS 15, iOS 18, *)
    static func measure() async throws -> Matrix {
        let cases = try BugCase.all.map(Play.LoadedCase.init)
        return await withTaskGroup(of: Matrix.self) { group in
            for design in ClientDesign.allCases {
                group.addTask { await OwnThread.run { Matrix(design, cases) } }
            }
            var parts: [Matrix] = []
            for await part in group { parts.append(part) }
            var matrix = Matrix()
            for design in ClientDesign.allCases {
                for part in parts where part.correct.first?.design == design {
                    matrix.cells += part.cells
                    matrix.correct += part.correct
                }
            }
            return matrix
        }
    }

    private init() {}

    @available(macOS 15, iOS 18, *)
    private init(_ design: ClientDesign, _ cases: [Play.LoadedCase]) {
        var row = CorrectRow(design: design)
        for loadedCase in cases {
            if let bug = loadedCase.bugCase.bug { cells.append(Self.cell(design, bug, loadedCase)) }
            for seed in Self.correctSchedules(of: loadedCase.bugCase) {
                row.note(
                    Play(loadedCase: loadedCase, design: design, bug: nil, seed: seed).perform(),
                    of: loadedCase,
                    seed: seed
                )
            }
        }
        correct = [row]
    }

    @available(macOS 15, iOS 18, *)
    private static func cell(_ design: ClientDesign, _ bug: Bug, _ loadedCase: Play.LoadedCase) -> MatrixCell {
        var cell = MatrixCell(design, bug)
        for seed in schedules {
            cell.note(
                Play(loadedCase: loadedCase, design: design, bug: bug, seed: seed).perform(),
                of: loadedCase.bugCase,
                seed: seed
            )
        }
        return cell
    }

    subscript(bug: Bug, design: ClientDesign) -> MatrixCell? {
        cells.first { $0.bug == bug && $0.design == design }
    }
}

extension Matrix.CorrectRow {
    fileprivate mutating func note(_ played: Played, of loadedCase: Play.LoadedCase, seed: UInt64) {
        plays += 1
        if loadedCase.bugCase.isRace {
            if TokenHistory(played.evidence).hasRace { races += 1 } else { raceless += 1 }
        }
        let verdict = Verdict(on: loadedCase.loaded.scenario, by: played.evidence, in: loadedCase.loaded.sources)
        guard played.outcomes == nil || verdict.outcome != .passed || !verdict.findings.isEmpty else { return }
        let end = played.outcomes == nil ? ["the client never came to an end"] : []
        let words = (end + verdict.findings.map(\.description)).joined(separator: "\n")
        alarms.append(
            Matrix.Alarm(
                bugCase: loadedCase.bugCase.title,
                words: "\(design), \(loadedCase.bugCase), seed \(seed): \(words)\n\(played.evidence.lines)"
            )
        )
    }
}
