import Basics
import JSON
import Testing

@testable import Reports

@Suite
struct `Text in a report` {
    @Test func `for XML has nothing that XML does not allow`() {
        let text = "a<b>&\"c\"\n\t\r\u{1}\u{FFFE}ü😀"
        #expect(
            XMLText.escaped(text, isAttribute: true)
                == "a&lt;b&gt;&amp;&quot;c&quot;&#10;&#9;&#13;\u{FFFD}\u{FFFD}ü😀"
        )
        #expect(
            XMLText.escaped(text, isAttribute: false)
                == "a&lt;b&gt;&amp;&quot;c&quot;\n\t&#13;\u{FFFD}\u{FFFD}ü😀"
        )
    }

    @Test func `for Markdown means nothing`() {
        #expect(MarkdownText.escaped("*a* <b> [c](d) | `e`") == #"\*a\* \<b\> \[c\](d) \| \`e\`"#)
        #expect(MarkdownText.code("a``b`") == "``` a``b` ```")
        #expect(MarkdownText.cell("a|b") == #"`a\|b`"#)
        #expect(MarkdownText.cell("") == "")
    }

    @Test(arguments: [
        ("a/b c.json", "a/b%20c.json"), ("ü:1.json", "%C3%BC%3A1.json"), ("/tmp/a#b.json", "file:///tmp/a%23b.json"),
        ("../x/%41.json", "../x/%2541.json"),
    ])
    func `for a URI is percent-encoded`(path: String, uri: String) {
        #expect(ArtifactURI.text(of: path) == uri)
    }

    @Test func `for GitHub ends neither a command nor a property`() {
        let place = Place(file: "a,b:c%.json", position: TextPosition(line: 1, column: 2))
        let report = Report(
            title: "check",
            findings: [Finding(.note, id: "x/y", "one\r\ntwo: 5%, \u{1B}yes", at: place)]
        )
        #expect(
            ReportFormat.github.text(of: report)
                == "::notice file=a%2Cb%3Ac%25.json,line=1,col=2,title=x/y::one%0D%0Atwo: 5%25, \u{FFFD}yes\n"
        )
    }
}

@Suite
struct `A fingerprint` {
    private func fingerprint(_ line: Int, _ message: String = "wrong, see 3:5 already", pointer: String = "/a")
        -> String
    {
        var fingerprints = FindingFingerprints()
        let place = Place(file: "a.json", position: TextPosition(line: line, column: 1), pointer: pointer)
        return fingerprints.next(for: Finding(.error, id: "x/y", message, at: place))
    }

    @Test func `survives lines that were added above`() {
        #expect(fingerprint(3) == fingerprint(30))
        #expect(fingerprint(3) == fingerprint(3, "wrong, see 30:5 already"))
        #expect(fingerprint(3) != fingerprint(3, pointer: "/b"))
        #expect(fingerprint(3) != fingerprint(3, "wrong, see 3 already"))
    }

    @Test func `is never used twice`() {
        var fingerprints = FindingFingerprints()
        let finding = Finding(.error, id: "x/y", "wrong")
        #expect(fingerprints.next(for: finding) != fingerprints.next(for: finding))
    }
}
