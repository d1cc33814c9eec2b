/// The signed-in user's profile, with the properties that other users do not see.
public struct OwnProfile<Profile: Codable & Sendable & Hashable & Identifiable>: JoinedObject, Sendable, Hashable,
    Identifiable
{
    /// The public profile.
    public var profile: Profile
    /// The private properties.
    public var contact: Contact

    /// The user's ID.
    public var id: Profile.ID { profile.id }

    static var layout: JoinedLayout<Self, Profile, Contact> {
        JoinedLayout({ $0.profile }, { $0.contact }) { Self(profile: $0, contact: $1) }
    }
}

/// The address of a user, which only the user sees.
public struct Contact: Codable, Sendable, Hashable {
    /// The email address for sign-in.
    public var email: String
    /// The phone number as the user entered it, or `nil` if no number is set.
    public var phoneNumber: String?
    /// The date of birth as the user entered it, or `nil` if no date is set.
    public var birthday: String?

    enum CodingKeys: String, CodingKey {
        case email
        case phoneNumber = "phoneNum"
        case birthday = "birthDay"
    }
}
