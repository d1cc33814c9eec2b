/// The reason why a text is not YAML, or has no value in JSON.
package enum YAMLFault: Sendable, Hashable {
    // The text as a whole.
    case empty
    case wideEncoding
    case controlCharacter(Unicode.Scalar)
    case secondDocument
    case textAfterRoot
    case directivesWithoutDocument
    case brokenDirective
    case repeatedDirective
    case unknownVersion(String)

    // Lines.
    case tabIndentation
    /// The line's column where others were possible.
    case indentation(Int, allowed: [Int])
    /// A line that is indented less than the quotes or brackets allow that are open.
    case openAcross(line: Int, least: Int)
    case sequenceOnLine
    case mappingOnLine
    case missingDash
    case missingColon
    case entryAmongMembers
    case colonInContinuation
    /// Text that is alone on its line and continues in one with a colon.
    case textBeforeMember(line: Int)
    case textAfterValue
    case commentWithoutSpace

    // Names.
    case nameOfManyLines
    case longName(limit: Int)
    case collectionAsName
    case mergeKey

    // Anchors and tags.
    case missingAnchorName
    case unknownAnchor(String)
    case aliasTouchesColon(String)
    case aliasInItself(String)
    case tooManyRepeatedNodes(limit: Int)
    case propertiesOfAlias
    case propertiesBeforeEntry
    case textAfterProperty
    case twoAnchors
    case twoTags
    case brokenTag
    case foreignTag(String)
    case unknownHandle(String)
    case tagMismatch(String)

    // Scalars.
    case reservedStart(Unicode.Scalar)
    case entryInFlow
    case blockScalarInFlow
    case brokenBlockHeader
    case deepEmptyLine
    case unknownEscape(Unicode.Scalar)
    case unfinishedEscape(digits: Int)
    case escapeBeyondUnicode
    case notFinite(String)
    case tooLargeNumber(String)
}

extension YAMLFault {
    /// The finding and what was expected, as one sentence without a full stop.
    var sentence: String {
        switch self {
        case .empty:
            "the text contains no document; YAML requires a value, such as {}"
        case .wideEncoding:
            "the text looks like UTF-16 or UTF-32; save the text as UTF-8"
        case .controlCharacter(let scalar):
            "found the character U+\(hex(scalar.value)), which YAML does not allow; \(advice(for: scalar))"
        case .secondDocument:
            "a second document begins here; a file must contain a single document, so move this document to a separate"
                + " file"
        case .textAfterRoot:
            "this line is not part of the document's value, which ended before this line; indent this line like the"
                + " lines above"
        case .directivesWithoutDocument:
            "a line that begins with % must be followed by a line with ---"
        case .brokenDirective:
            "this directive is incomplete; write %YAML 1.2 or %TAG !handle! prefix"
        case .repeatedDirective:
            "this directive is repeated; remove one of the two directives"
        case .unknownVersion(let version):
            "YAML \(JSONSyntaxError.shown(version)) is not supported; use 1.2"
        case .tabIndentation:
            "found a tab in the indentation; YAML indents with spaces"
        case .indentation(let found, let allowed):
            "this line is indented by \(spaces(found)), but the open entries are indented by "
                + allowed.map(String.init).joined(separator: ", ")
        case .openAcross(let line, let least):
            "the value that begins here is still open on line \(line), which is not indented enough; close the value,"
                + " or indent that line by at least \(spaces(least))"
        case .sequenceOnLine:
            "a list must not begin after other text; put the list's first \"- \" on a separate line"
        case .mappingOnLine:
            "a second name is not allowed here; put the name on a separate line, or quote text that contains \": \""
        case .missingDash:
            "this line is in a list, whose entries begin with \"- \"; add \"- \", or correct the indentation"
        case .missingColon:
            "a name followed by \": \" was expected, as in the lines above; add the colon, or indent continued text"
        case .entryAmongMembers:
            "found \"- \" where a name was expected; put a list below its name"
        case .colonInContinuation:
            "found \": \" in text that began on an earlier line; quote that text, or correct the indentation"
        case .textBeforeMember(let line):
            "this text continues on line \(line), which contains \": \"; add the colon of a name, quote the text, or "
                + "correct the indentation"
        case .textAfterValue:
            "found more text after the end of the value; quote the whole text, or put the additional text on a separate"
                + " line"
        case .commentWithoutSpace:
            "a comment requires a space before its #; quote text that contains #"
        case .nameOfManyLines:
            "a name and its colon must be on the line on which the name begins"
        case .longName(let limit):
            "this name is longer than \(limit) characters; put \"? \" before the name, and the colon on the next line"
        case .collectionAsName:
            "a list or mapping cannot be a name, because names are strings in JSON"
        case .mergeKey:
            "<< merges mappings in YAML 1.1, but not in 1.2; write the members out, or quote \"<<\" when it is a name"
        case .missingAnchorName:
            "a name was expected after this character; quote text that begins with this character"
        case .unknownAnchor(let name):
            "the anchor &\(shown(name)) is not defined before this alias; define the anchor, or quote text that begins "
                + "with *"
        case .aliasTouchesColon(let name):
            "the anchor &\(shown(name)) is not defined, because the colon belongs to the name; put a space before "
                + "the colon"
        case .aliasInItself(let name):
            "the value of &\(shown(name)) contains *\(shown(name)), so the value would never end"
        case .tooManyRepeatedNodes(let limit):
            "the aliases up to this one repeat more values than the limit of \(limit) allows"
        case .propertiesOfAlias:
            "an alias must not have an anchor or a tag; put the anchor or tag on the value that the alias repeats"
        case .propertiesBeforeEntry:
            "put the anchor or tag of a list or mapping on the line before its first entry"
        case .textAfterProperty:
            "a space is required after an anchor or a tag"
        case .twoAnchors:
            "this value has two anchors; remove one anchor"
        case .twoTags:
            "this value has two tags; remove one tag"
        case .brokenTag:
            "this tag is incomplete; quote text that begins with !"
        case .foreignTag(let tag):
            "the tag \(shown(tag)) is not supported in JSON; use !!str, !!int, !!float, !!bool, !!null, !!seq or !!map"
        case .unknownHandle(let handle):
            "no %TAG directive declares the prefix \(shown(handle))"
        case .tagMismatch(let tag):
            "the value after \(shown(tag)) does not match the tag"
        case .reservedStart(let scalar):
            "text cannot begin with \(Character(scalar)) here; put quotes around the text"
        case .entryInFlow:
            "entries in brackets are separated by commas and do not start with \"- \"; quote a single -"
        case .blockScalarInFlow:
            "text after | or > cannot be in brackets or be a name; quote the text"
        case .brokenBlockHeader:
            "only a digit from 1 to 9, a + or - and a comment can follow | or >; the text begins on the next line"
        case .deepEmptyLine:
            "this empty line contains more spaces than the indentation of the first nonempty line; remove the extra spaces"
        case .unknownEscape(let scalar):
            "\(escaped(scalar)) is not a YAML escape; write \\\\ for a backslash, or use single quotes"
        case .unfinishedEscape(let digits):
            "this escape requires \(digits) hexadecimal digits"
        case .escapeBeyondUnicode:
            "this escape is beyond the last character, \\U0010FFFF"
        case .notFinite(let text):
            "\(text) cannot be represented as a JSON number; quote the value if it is text"
        case .tooLargeNumber(let text):
            "\(shown(text)) has more than 64 bits; write it as a decimal number"
        }
    }

    private func spaces(_ count: Int) -> String { count == 1 ? "1 space" : "\(count) spaces" }

    /// A short piece of text in which nothing is invisible.
    private func shown(_ text: String) -> String { String(JSONSyntaxError.shown(text).dropFirst().dropLast()) }

    private func hex(_ value: UInt32) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - text.utf8.count)) + text
    }

    private func advice(for scalar: Unicode.Scalar) -> String {
        let isByte = scalar.value < 0x100
        return
            "in double quotes, write it as \(isByte ? "\\x" + hex(scalar.value).suffix(2) : "\\u" + hex(scalar.value))"
    }

    private func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .unassigned, .privateUse, .nonspacingMark, .enclosingMark, .lineSeparator:
            "a backslash before U+\(hex(scalar.value))"
        default: "\\\(Character(scalar))"
        }
    }
}
