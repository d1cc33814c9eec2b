import JSON
import Testing

struct ExactTextTests {
    @Test(arguments: [("caf\u{E9}", "cafe\u{301}"), ("K", "\u{212A}")])
    func `Spellings that are equal strings are different keys`(_ text: String, _ lookalike: String) {
        #expect(text == lookalike)
        #expect(ExactText(text) != ExactText(lookalike))
        #expect(ExactText(text) == ExactText(String(text.reversed().reversed())))
        let values = [ExactText(text): 1, ExactText(lookalike): 2]
        #expect(values[ExactText(text)] == 1 && values[ExactText(lookalike)] == 2)
    }
}
