extension Smeem {
    /// The supported versions of the apps and a notice for users whose version is outdated.
    public struct AppVersions: Codable, Sendable, Hashable {
        /// The title of the notice.
        public var title: String
        /// The text of the notice.
        public var content: String
        /// The supported versions on iOS.
        public var iosVersion: Range
        /// The supported versions on Android.
        public var androidVersion: Range

        /// The latest and the oldest supported version on one platform.
        public struct Range: Codable, Sendable, Hashable {
            /// The latest version.
            public var newest: VersionNumber
            /// The oldest supported version.
            public var oldest: VersionNumber

            enum CodingKeys: String, CodingKey {
                case newest = "version"
                case oldest = "forceVersion"
            }

            /// Returns a Boolean value that indicates whether a version is no longer supported.
            public func excludes(_ version: VersionNumber) -> Bool { version < oldest }
        }
    }
}

extension Smeem {
    /// An app's version number, such as `10.0.2`.
    ///
    /// Versions are compared number by number, so 10 sorts after 9, and missing trailing numbers count as zero. A
    /// string that is not a version, such as an empty string, sorts before all versions.
    public struct VersionNumber: RawRepresentable, Codable, Sendable {
        /// The version as written.
        public let rawValue: String

        /// Creates a version from its text.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The digits of each number without zeros in front, and without numbers that are zero at the end.
        private var numbers: [Substring] {
            let parts = rawValue.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy({ (48...57).contains($0) }) }) else { return [] }
            var numbers = parts.map { $0.drop { $0 == "0" } }
            while numbers.last?.isEmpty == true { numbers.removeLast() }
            return numbers
        }
    }
}

extension Smeem.VersionNumber: Comparable, Hashable {
    /// Returns a Boolean value that indicates whether two values represent the same version.
    public static func == (left: Smeem.VersionNumber, right: Smeem.VersionNumber) -> Bool {
        left.numbers == right.numbers
    }

    /// Returns a Boolean value that indicates whether the first version is older than the second.
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
