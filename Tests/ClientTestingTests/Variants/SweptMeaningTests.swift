import Basics
import ClientTesting
import Foundation
import HTTPCodec
import JSON
import Testing

/// Values that come back in other letters, and mean the same or do not.
@Suite struct `A checkVariants value` {
    private static let document = Library.document.replacing(
        "\"author\": {",
        with: """
            "number": { "type": "string", "format": "uuid" },
            "printed": { "type": "string", "format": "date-time" },
            "author": {
            """
    )

    private func findings<Model: Codable & SendableMetatype>(of model: Model.Type) async throws -> [String] {
        try await ReaderAdapter("getBook", "/book", as: model).checkVariants(Self.document).findings.map(\.message)
    }

    @Test func `may be a UUID in capitals, and a moment in another zone`() async throws {
        let findings = try await findings(of: StampedBook<Moment>.self)
        #expect(findings == [])
    }

    @Test func `may be refused with a warning, where hardly anybody writes so`() async throws {
        let adapter = ReaderAdapter("getBook", "/book", as: StampedBook<FoundationMoment>.self)
        let findings = try await adapter.checkVariants(Self.document).findings
        #expect(findings.allSatisfy { $0.id == "variants/refused-variant" && $0.severity == .warning }, "\(findings)")
    }

    @Test func `may not lose its zone`() async throws {
        let findings = try await findings(of: StampedBook<LocalMoment>.self)
        #expect(findings.count == 1)
        #expect(findings.first?.hasPrefix("getBook changes /printed: ") == true)
    }

    @Test func `may not lose its fraction`() async throws {
        let findings = try await findings(of: StampedBook<WholeMoment>.self)
        #expect(findings.count == 1)
        #expect(findings.first?.hasPrefix("getBook changes /printed: ") == true)
    }
}

private struct StampedBook<Stamp: Codable>: Codable {
    struct Author: Codable {
        var name: String
        var born: Int?
    }

    var id: Int64
    var title: String
    var subtitle: String?
    var state: String
    var number: UUID?
    var printed: Stamp?
    var author: Author
}

/// Writes a moment as Coordinated Universal Time, with three digits.
private struct Moment: Codable {
    var written: String

    init(from decoder: any Decoder) throws {
        written = try Self.universal(try decoder.singleValueContainer().decode(String.self), digits: 3)
    }

    func encode(to encoder: any Encoder) throws { try written.encode(to: encoder) }

    static func universal(_ text: String, digits: Int) throws -> String {
        guard let read = RFC3339.parse(text) else { throw CancellationError() }
        return RFC3339.format(
            secondsSince1970: read.secondsSince1970,
            nanoseconds: read.nanoseconds,
            fractionDigits: digits
        )
    }
}

private struct WholeMoment: Codable {
    var written: String

    init(from decoder: any Decoder) throws {
        written = try Moment.universal(try decoder.singleValueContainer().decode(String.self), digits: 0)
    }

    func encode(to encoder: any Encoder) throws { try written.encode(to: encoder) }
}

/// Takes the clock's face for the time.
private struct LocalMoment: Codable {
    var text: String

    init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

    func encode(to encoder: any Encoder) throws {
        var written = text
        if let sign = text.dropFirst(10).lastIndex(where: { "+-".contains($0) }) { written = text[..<sign] + "Z" }
        try written.encode(to: encoder)
    }
}

/// A moment as Foundation reads and writes it.
private struct FoundationMoment: Codable {
    var date: Date

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let plain = Date.ISO8601FormatStyle()
        guard let date = (try? plain.parse(text)) ?? (try? plain.fractional.parse(text)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no date")
        }
        self.date = date
    }

    func encode(to encoder: any Encoder) throws {
        try Date.ISO8601FormatStyle().fractional.format(date).encode(to: encoder)
    }
}

extension Date.ISO8601FormatStyle {
    fileprivate var fractional: Self { Self(includingFractionalSeconds: true) }
}
