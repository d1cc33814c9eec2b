/// A book as the contract has it.
struct Book: Codable {
    var id: Int
    var title: String
    var subtitle: String?
    var state: State
    var author: Author

    /// Knows that there will be others.
    enum State: RawRepresentable, Codable {
        case free
        case lent
        case unknown(String)

        init(rawValue: String) {
            switch rawValue {
            case "free": self = .free
            case "lent": self = .lent
            default: self = .unknown(rawValue)
            }
        }

        var rawValue: String {
            switch self {
            case .free: "free"
            case .lent: "lent"
            case .unknown(let text): text
            }
        }
    }

    struct Author: Codable {
        var name: String
        var born: Int?
    }
}

/// Takes it for granted that every author's birth is known, and that every book has a subtitle.
struct StrictBook: Codable {
    var id: Int
    var title: String
    var subtitle: String
    var state: String
    var author: Author

    struct Author: Codable {
        var name: String
        var born: Int
    }
}

/// Does without everything.
struct LaxBook: Codable {
    var id: Int?
    var title: String?
    var subtitle: String?
    var state: String?
    var author: Author?

    struct Author: Codable {
        var name: String?
        var born: Int?
    }
}

/// Forgets the subtitle.
struct ShortBook: Codable {
    var id: Int
    var title: String
    var state: String
    var author: Book.Author
}

/// Rounds large numbers.
struct RoundBook: Codable {
    var id: Double
    var title: String
    var subtitle: String?
    var state: String
    var author: Book.Author
}

/// Has no room for large numbers.
struct SmallBook: Codable {
    var id: Int32
    var title: String
    var subtitle: String?
    var state: String
    var author: Book.Author
}

/// A book with a member that the contract does not have.
struct DemandingBook: Codable {
    var isbn: String
}

/// Knows two states for ever.
struct ClosedBook: Codable {
    var id: Int
    var title: String
    var subtitle: String?
    var state: State
    var author: Book.Author

    enum State: String, Codable {
        case free
        case lent
    }
}

/// Puts an empty text where nothing was said.
struct FilledBook: Codable {
    var id: Int
    var title: String
    var subtitle: String
    var state: String
    var author: Book.Author

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        title = try container.decode(String.self, forKey: .title)
        subtitle = try container.decodeIfPresent(String.self, forKey: .subtitle) ?? ""
        state = try container.decode(String.self, forKey: .state)
        author = try container.decode(Book.Author.self, forKey: .author)
    }
}

/// A list in an envelope.
struct Entry<Item: Codable>: Codable {
    var data: [Item]
    var note: String?
}

/// A book with its prices by currency.
struct PricedBook<Price: Codable>: Codable {
    var id: Int
    var title: String
    var state: Book.State
    var author: Book.Author
    var prices: [String: Price]?
}

struct Price: Codable {
    var amount: Float
    var note: String?
}

struct StrictPrice: Codable {
    var amount: Float
    var note: String
}

/// A book whose decoder converts the keys of prices from snake case.
struct ConvertedBook: Codable {
    private var book: PricedBook<Price>

    init(from decoder: any Decoder) throws {
        book = try PricedBook(from: decoder)
        book.prices = book.prices.map { prices in
            Dictionary(prices.map { (Self.converted($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
        }
    }

    func encode(to encoder: any Encoder) throws { try book.encode(to: encoder) }

    private static func converted(_ key: String) -> String {
        let words = key.split(separator: "_")
        return words.count > 1
            ? words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() : key
    }
}

/// A book whose decoder names members in camel case, and which requires the subtitle.
struct SnakeBook: Codable {
    var id: Int
    var title: String
    var state: Book.State
    var author: Book.Author
    var subTitle: String

    private enum Key: String, CodingKey { case subTitle = "sub_title" }

    init(from decoder: any Decoder) throws {
        let book = try Book(from: decoder)
        (id, title, state, author) = (book.id, book.title, book.state, book.author)
        let members = try decoder.container(keyedBy: Key.self)
        guard let text = try members.decodeIfPresent(String.self, forKey: .subTitle) else {
            throw DecodingError.keyNotFound(CodingKeys.subTitle, .init(codingPath: [], debugDescription: ""))
        }
        subTitle = text
    }
}
