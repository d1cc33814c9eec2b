import JSON
import OpenAPI
import Testing

@testable import Checking
@testable import ClientTesting

@Suite struct `Writing a parameter` {
    private static let colours: JSONValue = ["blue", "black", "brown"]
    private static let channels: JSONValue = ["R": 100, "G": 200, "B": 150]

    private func writing(_ style: Parameter.Style, _ explode: Bool) -> StyledWriting {
        StyledWriting(name: "color", style: style, explode: explode)
    }

    @Test(
        arguments: [
            (.simple, false, "blue,black,brown", "R,100,G,200,B,150"),
            (.simple, true, "blue,black,brown", "R=100,G=200,B=150"),
            (.label, false, ".blue,black,brown", ".R,100,G,200,B,150"),
            (.label, true, ".blue.black.brown", ".R=100.G=200.B=150"),
            (.matrix, false, ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
            (.matrix, true, ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"),
        ] as [(Parameter.Style, Bool, String, String)]
    )
    func `in a path follows its style`(style: Parameter.Style, explode: Bool, list: String, object: String) {
        #expect(writing(style, explode).pathText(Self.colours) == list)
        #expect(writing(style, explode).pathText(Self.channels) == object)
    }

    @Test(
        arguments: [
            (.form, true, "color=blue&color=black&color=brown", "R=100&G=200&B=150"),
            (.form, false, "color=blue,black,brown", "color=R,100,G,200,B,150"),
            (.spaceDelimited, false, "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"),
            (.pipeDelimited, false, "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"),
            (
                .deepObject, true, "color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown",
                "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"
            ),
        ] as [(Parameter.Style, Bool, String, String)]
    )
    func `in a query follows its style`(style: Parameter.Style, explode: Bool, list: String, object: String) {
        #expect(writing(style, explode).pairs(Self.colours).joined(separator: "&") == list)
        #expect(writing(style, explode).pairs(Self.channels).joined(separator: "&") == object)
    }

    @Test func `encodes what would be read otherwise`() {
        #expect(writing(.simple, false).pathText("a/b,c") == "a%2Fb%2Cc")
        #expect(writing(.form, true).pairs("a&b=c") == ["color=a%26b%3Dc"])
        #expect(writing(.simple, false).fieldText("a/b") == "a/b")
    }
}
