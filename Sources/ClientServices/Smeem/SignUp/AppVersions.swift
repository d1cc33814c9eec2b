extension Smeem {
    /// Which versions of the apps may be used, and what to tell a user whose version is too old.
    public struct AppVersions: Codable, Sendable, Hashable {
        /// The title of the notice.
        public var title: String
        /// The text of the notice.
        public var content: String
        /// The versions on iOS.
        public var iOS: Range
        /// The versions on Android.
        public var android: Range

        /// The versions of one platform.
        public struct Range: Codable, Sendable, Hashable {
            /// The newest version.
            public var newest: VersionNumber
            /// The oldest version that may still be used.
            public var oldest: VersionNumber

            enum CodingKeys: String, CodingKey {
                case newest = "version"
                case oldest = "forceVersion"
            }

            /// Returns whether a version is too old to be used.
            public func excludes(_ version: VersionNumber) -> Bool { version < oldest }
        }

        enum CodingKeys: String, CodingKey {
            case title
            case content
            case iOS = "iosVersion"
            case android = "androidVersion"
        }
    }
}

extension Smeem {
    /// The number of an app's version, such as `10.0.2`.
    ///
    /// Versions are compared number by number, so that 10 comes after 9; what is missing at the end counts as zero. A text
    /// that is not a version, such as an empty one, comes before all others.
    public struct VersionNumber: TextValue {
        /// The number as written.
        public let text: String

        /// A version by its text.
        public init(_ text: String) {
            self.text = text
        }

        /// The digits of each number without zeros in front, and without numbers that are zero at the end.
        private var numbers: [Substring] {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy({ (48...57).contains($0) }) }) else { return [] }
            var numbers = parts.map { $0.drop { $0 == "0" } }
            while numbers.last?.isEmpty == true { numbers.removeLast() }
            return numbers
        }
    }
}

extension Smeem.VersionNumber: Comparable, Hashable {
    /// Returns whether both are the same version.
    public static func == (left: Smeem.VersionNumber, right: Smeem.VersionNumber) -> Bool {
        left.numbers == right.numbers
    }

    /// Returns whether the first is the older one.
    public static func < (left: Smeem.VersionNumber, right: Smeem.VersionNumber) -> Bool {
        let (left, right) = (left.numbers, right.numbers)
        for (one, other) in zip(left, right) where one != other {
            return one.utf8.count == other.utf8.count ? one < other : one.utf8.count < other.utf8.count
        }
        return left.count < right.count
    }

    /// Hashes the version.
    public func hash(into hasher: inout Hasher) { hasher.combine(numbers) }
}
