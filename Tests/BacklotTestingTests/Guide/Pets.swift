import Foundation

struct Pet: Codable, Hashable, Identifiable, Sendable {
    var id: Int64
    var name: String
    var kind: PetKind
    var weight: Double?
    var born: String?
}

/// Text and no enumeration, so that the server may know kinds that this version of the app does not.
struct PetKind: RawRepresentable, Codable, Hashable, Sendable {
    var rawValue: String

    static let cat = PetKind(rawValue: "cat")
    static let dog = PetKind(rawValue: "dog")
}

struct NewPet: Codable, Sendable {
    var name: String
    var kind: PetKind
}

struct PetTokens: Codable, Hashable, Sendable {
    var accessToken: String
    var refreshToken: String
}

enum PetsError: Error, Equatable {
    case signedOut
    case refused(Int)
}
