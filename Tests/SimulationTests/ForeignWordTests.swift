import Basics
import HTTPCodec
import ScenarioFormat
import Testing

@testable import Simulation

/// The secrets of other servers that a session hides, however many there are.
struct ForeignWordTests {
    private static func word(_ number: UInt64) -> String { "secret-of-a-real-server-\(number)" }

    /// An exchange whose request contains the word of its number.
    private static func exchange(_ number: UInt64) -> Exchange {
        Exchange(
            number: number,
            time: VirtualTime(seconds: 0),
            arrival: MonotonicTime(nanoseconds: number),
            connection: 1,
            request: HTTPRequest(
                target: "/short?\(word(number))",
                body: Array("\(word(number)) and-an-ordinary-word".utf8)
            )
        )
    }

    private static func isHidden(_ number: UInt64, by tokens: ForeignTokens) -> Bool {
        let shown = tokens.concealed(in: exchange(number)).request
        let texts = [shown.target, String(decoding: shown.body, as: UTF8.self)]
        return texts.allSatisfy { !$0.contains(word(number)) }
    }

    @Test(arguments: [3, TokenLedger.mostTokens])
    func `No word is shown, although the oldest are forgotten`(most: Int) {
        var tokens = ForeignTokens(most: most)
        for number in 1...1_500 as ClosedRange<UInt64> {
            tokens.conceal(Self.word(number), at: number)
            #expect(Self.isHidden(number, by: tokens))
        }
        #expect((1...1_500).allSatisfy { Self.isHidden($0, by: tokens) })
        #expect(!tokens.text("a token is \(Self.word(1))").contains(Self.word(1)))
    }

    @Test func `Ordinary words are shown as long as no word was forgotten`() {
        var tokens = ForeignTokens(most: 3)
        for number in 1...5 as ClosedRange<UInt64> { tokens.conceal(Self.word(number), at: number) }
        func showsOrdinary(_ number: UInt64) -> Bool {
            String(decoding: tokens.concealed(in: Self.exchange(number)).request.body, as: UTF8.self)
                .hasSuffix("and-an-ordinary-word")
        }
        #expect((1...5).allSatisfy(showsOrdinary))
        for number in 6...9 as ClosedRange<UInt64> { tokens.conceal(Self.word(number), at: number) }
        #expect(!showsOrdinary(1))
        #expect(showsOrdinary(9))
    }

    @Test(arguments: [
        "ab+cdefgh~ijklmnop/q=", #"ab\u002Bcdefgh\u007eijklmnop\/q\u003D"#, "ab%2Bcdefgh~ijklmnop%2Fq%3d",
        "x=ab%2bcdefgh%7Eijklmnop", "a sentence with ab+cdefgh~ijklmnop.",
    ])
    func `A token is hidden in each form in which it is written`(text: String) {
        var tokens = ForeignTokens()
        tokens.conceal("ab+cdefgh~ijklmnop/q=", at: 1)
        let shown = tokens.text(text)
        #expect(!shown.contains("cdefgh"), "\(shown)")
        #expect(!shown.contains("ijklmnop"), "\(shown)")
    }

    @Test func `Words end where encoded bytes are not a part of them`() {
        func words(_ text: String) -> [String] {
            TokenWord.all(in: text).map { String(decoding: $0.bytes, as: UTF8.self) }
        }
        #expect(words(#"{"a":"b.c..","d":"\nnext\u00e9.é"}"#) == ["a", "b.c", "d", "next"])
        #expect(words("a%3Ab%2Dc 100% of%20it \\") == ["a", "b-c", "100", "of", "it"])
        #expect(words("...") == [])
    }
}
