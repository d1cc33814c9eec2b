import Basics
import Testing

struct ExactTextTests {
    @Test(arguments: [("caf\u{E9}", "cafe\u{301}"), ("K", "\u{212A}")])
    func `Spellings that are equal strings are different keys`(_ text: String, _ lookalike: String) {
        #expect(text == lookalike)
        #expect(text.exact != lookalike.exact)
        #expect(text.exact == ExactText(String(text.reversed().reversed())))
        let values = [text.exact: 1, lookalike.exact: 2]
        #expect(values[text.exact] == 1 && values[lookalike.exact] == 2)
    }
}
