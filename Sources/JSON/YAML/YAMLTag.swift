import Basics

/// The tags that a node of JSON can bear (YAML 1.2.2, section 10.3).
enum YAMLTag: String {
    /// `!`: what it is without the schema, so that plain text is a string.
    case nonSpecific = "!"
    case string = "tag:yaml.org,2002:str"
    case integer = "tag:yaml.org,2002:int"
    case float = "tag:yaml.org,2002:float"
    case boolean = "tag:yaml.org,2002:bool"
    case null = "tag:yaml.org,2002:null"
    case sequence = "tag:yaml.org,2002:seq"
    case mapping = "tag:yaml.org,2002:map"
}

/// The properties before a node: its tag and its anchor (YAML 1.2.2, section 6.9).
struct YAMLProperties {
    var tag: YAMLTag?
    var tagOffset = 0
    /// The anchor's number.
    var anchor: Int?

    var isEmpty: Bool { tag == nil && anchor == nil }
}
