// The signatures of the part of Apple's Foundation that this package uses, with its availability where that is above the
// floors of Package.swift. Bodies are placeholders: nothing here is ever run.

@_exported import Darwin
public import Security

public typealias TimeInterval = Double
public enum ComparisonResult: Int, Sendable {
    case orderedAscending = -1
    case orderedSame = 0
    case orderedDescending = 1
}
open class NSObject: Hashable {
    public init() {}
    public static func == (a: NSObject, b: NSObject) -> Bool { a === b }
    public func hash(into h: inout Hasher) {}
}
public protocol NSObjectProtocol: AnyObject {}
extension NSObject: NSObjectProtocol {}
open class Process: NSObject, @unchecked Sendable {
    open var executableURL: URL?
    open var arguments: [String]?
    open var environment: [String: String]?
    open var currentDirectoryURL: URL?
    open var standardInput: Any?
    open var standardOutput: Any?
    open var standardError: Any?
    open func run() throws {}
    open var processIdentifier: Int32 { 0 }
    open var isRunning: Bool { false }
    open func waitUntilExit() {}
    open func terminate() {}
    open func interrupt() {}
    open var terminationStatus: Int32 { 0 }
    public enum TerminationReason: Int, Sendable {
        case exit = 1
        case uncaughtSignal = 2
    }
    open var terminationReason: TerminationReason { .exit }
    open var terminationHandler: (@Sendable (Process) -> Void)? {
        get { nil }
        set {}
    }
}
open class FileHandle: NSObject, @unchecked Sendable {
    open class var standardError: FileHandle { fatalError() }
    open class var standardOutput: FileHandle { fatalError() }
    open class var standardInput: FileHandle { fatalError() }
    open class var nullDevice: FileHandle { fatalError() }
    open func write(_ d: Data) {}
    open var availableData: Data { Data() }
    open func readDataToEndOfFile() -> Data { Data() }
    public func readToEnd() throws -> Data? { nil }
    public func close() throws {}
    open var fileDescriptor: Int32 { 0 }
    public func write<T: DataProtocol>(contentsOf d: T) throws {}
    public convenience init?(forReadingAtPath: String) { nil }
    public convenience init?(forWritingAtPath: String) { nil }
    public convenience init(forWritingTo url: URL) throws { self.init(fileDescriptor: 0) }
    public func read(upToCount: Int) throws -> Data? { nil }
    open var readabilityHandler: (@Sendable (FileHandle) -> Void)? {
        get { nil }
        set {}
    }
    public init(fileDescriptor: Int32, closeOnDealloc: Bool = false) {}
}
open class Pipe: NSObject, @unchecked Sendable {
    open var fileHandleForReading: FileHandle { fatalError() }
    open var fileHandleForWriting: FileHandle { fatalError() }
}
open class ProcessInfo: NSObject, @unchecked Sendable {
    open class var processInfo: ProcessInfo { fatalError() }
    open var environment: [String: String] { [:] }
    open var arguments: [String] { [] }
    open var processIdentifier: Int32 { 0 }
    open var activeProcessorCount: Int { 0 }
    open var processorCount: Int { 0 }
    open var systemUptime: TimeInterval { 0 }
    open var physicalMemory: UInt64 { 0 }
    open var operatingSystemVersionString: String { "" }
}
open class Thread: NSObject, @unchecked Sendable {
    open class func sleep(forTimeInterval: TimeInterval) {}
    open class var isMainThread: Bool { false }
    open class func detachNewThread(_ b: @escaping @Sendable () -> Void) {}
    public convenience init(block: @escaping @Sendable () -> Void) { fatalError() }
    open func start() {}
    open var stackSize: Int {
        get { 0 }
        set {}
    }
    public override init() {}
}
public struct FileAttributeKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let size = Self(rawValue: "")
    public static let posixPermissions = Self(rawValue: "")
    public static let modificationDate = Self(rawValue: "")
    public static let type = Self(rawValue: "")
}
open class FileManager: NSObject, @unchecked Sendable {
    open class var `default`: FileManager { fatalError() }
    open var temporaryDirectory: URL { fatalError() }
    open var currentDirectoryPath: String { "" }
    open func changeCurrentDirectoryPath(_ p: String) -> Bool { false }
    open func createDirectory(at: URL, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil)
        throws
    {}
    open func createDirectory(
        atPath: String,
        withIntermediateDirectories: Bool,
        attributes: [FileAttributeKey: Any]? = nil
    ) throws {}
    open func removeItem(at: URL) throws {}
    open func removeItem(atPath: String) throws {}
    open func fileExists(atPath: String) -> Bool { false }
    open func isExecutableFile(atPath: String) -> Bool { false }
    open func contents(atPath: String) -> Data? { nil }
    open func createFile(atPath: String, contents: Data?, attributes: [FileAttributeKey: Any]? = nil) -> Bool { false }
    open func copyItem(at: URL, to: URL) throws {}
    open func copyItem(atPath: String, toPath: String) throws {}
    open func moveItem(at: URL, to: URL) throws {}
    open func contentsOfDirectory(atPath: String) throws -> [String] { [] }
    open func contentsOfDirectory(
        at: URL,
        includingPropertiesForKeys: [URLResourceKey]?,
        options: DirectoryEnumerationOptions = []
    ) throws -> [URL] { [] }
    open func attributesOfItem(atPath: String) throws -> [FileAttributeKey: Any] { [:] }
    open func setAttributes(_ a: [FileAttributeKey: Any], ofItemAtPath: String) throws {}
    open func createSymbolicLink(atPath: String, withDestinationPath: String) throws {}
    open func createSymbolicLink(at: URL, withDestinationURL: URL) throws {}
    open func subpathsOfDirectory(atPath: String) throws -> [String] { [] }
    open func destinationOfSymbolicLink(atPath: String) throws -> String { "" }
    open func subpaths(atPath: String) -> [String]? { nil }
    open var homeDirectoryForCurrentUser: URL { fatalError() }
    public struct DirectoryEnumerationOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let skipsHiddenFiles = Self(rawValue: 1)
    }
}
public struct URLResourceKey: Hashable, Sendable {}
extension String {
    public init(contentsOfFile: String, encoding: String.Encoding) throws { fatalError() }
    public init(contentsOf: URL, encoding: String.Encoding) throws { fatalError() }

}
extension StringProtocol {
    public func write<T: StringProtocol>(toFile: T, atomically: Bool, encoding: String.Encoding) throws {}
    public func write(to: URL, atomically: Bool, encoding: String.Encoding) throws {}
    public func padding<T: StringProtocol>(toLength: Int, withPad: T, startingAt: Int) -> String { "" }
    public func components(separatedBy: CharacterSet) -> [String] { [] }

}
extension Data {
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let atomic = Self(rawValue: 1)
    }
    public func write(to: URL, options: WritingOptions = []) throws {}
    public func subdata(in: Range<Int>) -> Data { self }
    public func range(of: Data) -> Range<Int>? { nil }
}
extension URL {
    public func resolvingSymlinksInPath() -> URL { self }

    public func deletingPathExtension() -> URL { self }
    public func appendingPathExtension(_ s: String) -> URL { self }
    public var pathComponents: [String] { [] }
    @available(macOS 13.0, iOS 16.0, *) public func appending(
        component: some StringProtocol,
        directoryHint: DirectoryHint = .inferFromPath
    ) -> URL { self }
    @available(macOS 13.0, iOS 16.0, *) public func appending(
        components: String...,
        directoryHint: DirectoryHint = .inferFromPath
    ) -> URL { self }
    public func appendingPathComponent(_ s: String, isDirectory: Bool) -> URL { self }
    @available(macOS 13.0, iOS 16.0, *) public static var temporaryDirectory: URL { fatalError() }

}
open class Bundle: NSObject, @unchecked Sendable {
    open var resourceURL: URL? { nil }
}
open class NSLock: NSObject, @unchecked Sendable {
    open func lock() {}
    open func unlock() {}
    public func withLock<R>(_ b: () throws -> R) rethrows -> R { try b() }
}
open class Formatter: NSObject {}
open class DateFormatter: Formatter, @unchecked Sendable {
    open var calendar: Calendar!
    open var locale: Locale!
    open var timeZone: TimeZone!
    open var dateFormat: String!
    open func string(from date: Date) -> String { "" }
    open func date(from string: String) -> Date? { nil }
}
open class ISO8601DateFormatter: Formatter, @unchecked Sendable {
    open func string(from date: Date) -> String { "" }
    open func date(from string: String) -> Date? { nil }
}
open class NSNull: NSObject, @unchecked Sendable {}
open class JSONSerialization: NSObject {
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    open class func jsonObject(with data: Data, options: ReadingOptions = []) throws -> Any { fatalError() }
    open class func data(withJSONObject object: Any, options: WritingOptions = []) throws -> Data { fatalError() }
}
public func NSTemporaryDirectory() -> String { "" }
public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}
public protocol ContiguousBytes {}
public struct Data: Equatable, Hashable, Sendable, RandomAccessCollection, MutableCollection,
    RangeReplaceableCollection, Codable, DataProtocol
{
    public typealias Index = Int
    public init() {}
    public init(_ elements: some Sequence<UInt8>) {}
    public init(repeating: UInt8, count: Int) {}
    public init(contentsOf url: URL, options: Data.ReadingOptions = []) throws {}
    public init?(base64Encoded: String, options: Data.Base64DecodingOptions = []) {}
    public init?(base64Encoded: Data, options: Data.Base64DecodingOptions = []) {}
    public func base64EncodedString(options: Data.Base64EncodingOptions = []) -> String { "" }
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public struct Base64DecodingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public struct Base64EncodingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public var startIndex: Int { 0 }
    public var endIndex: Int { 0 }
    public subscript(i: Int) -> UInt8 {
        get { 0 }
        set {}
    }
    public subscript(r: Range<Int>) -> Data {
        get { self }
        set {}
    }
    public mutating func replaceSubrange<C: Collection>(_ r: Range<Int>, with c: C) where C.Element == UInt8 {}
    public mutating func append(_ d: Data) {}
    public mutating func append(contentsOf b: [UInt8]) {}
    public func withUnsafeBytes<R>(_ f: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
}
extension Array: DataProtocol where Element == UInt8 {}
public struct Date: Hashable, Comparable, Sendable, Codable {
    public init() {}
    public init(timeIntervalSince1970 t: TimeInterval) {}
    public init(timeIntervalSinceReferenceDate t: TimeInterval) {}
    public init(timeIntervalSinceNow t: TimeInterval) {}
    public init(timeInterval: TimeInterval, since: Date) {}
    public var timeIntervalSince1970: TimeInterval { 0 }
    public var timeIntervalSinceReferenceDate: TimeInterval { 0 }
    public var timeIntervalSinceNow: TimeInterval { 0 }
    public func timeIntervalSince(_ d: Date) -> TimeInterval { 0 }
    public func addingTimeInterval(_ t: TimeInterval) -> Date { self }
    public static func < (a: Date, b: Date) -> Bool { false }
    public static func + (a: Date, b: TimeInterval) -> Date { a }
    public static func - (a: Date, b: TimeInterval) -> Date { a }
    public static func += (a: inout Date, b: TimeInterval) {}
    public static func -= (a: inout Date, b: TimeInterval) {}
    @available(macOS 12.0, iOS 15.0, *) public struct ISO8601FormatStyle: Hashable, Sendable {
        public enum DateSeparator: String, Sendable { case omitted, dash }
        public enum TimeSeparator: String, Sendable { case omitted, colon }
        public enum DateTimeSeparator: String, Sendable { case space, standard }
        public init(
            dateSeparator: DateSeparator = .dash,
            dateTimeSeparator: DateTimeSeparator = .standard,
            timeSeparator: TimeSeparator = .colon,
            timeZone: TimeZone = .gmt
        ) {}
        public init(includingFractionalSeconds: Bool) {}
        public func parse(_ value: String) throws -> Date { Date() }
        public func format(_ value: Date) -> String { "" }
    }
    public static let distantPast = Date()
    public static let distantFuture = Date()
    public static var now: Date { Date() }
}
public struct TimeZone: Hashable, Sendable {
    public init?(identifier: String) {}
    public init?(secondsFromGMT: Int) {}
    public static var gmt: TimeZone { fatalError() }
    public static var current: TimeZone { fatalError() }
    public func secondsFromGMT(for: Date = Date()) -> Int { 0 }
    public var identifier: String { "" }
}
public struct Locale: Hashable, Sendable {
    public init(identifier: String) {}
    public static var current: Locale { fatalError() }
}
public struct DateComponents: Hashable, Sendable {
    public init(
        calendar: Calendar? = nil,
        timeZone: TimeZone? = nil,
        era: Int? = nil,
        year: Int? = nil,
        month: Int? = nil,
        day: Int? = nil,
        hour: Int? = nil,
        minute: Int? = nil,
        second: Int? = nil,
        nanosecond: Int? = nil,
        weekday: Int? = nil,
        weekdayOrdinal: Int? = nil,
        quarter: Int? = nil,
        weekOfMonth: Int? = nil,
        weekOfYear: Int? = nil,
        yearForWeekOfYear: Int? = nil
    ) {}
    public var year: Int?
    public var month: Int?
    public var day: Int?
    public var hour: Int?
    public var minute: Int?
    public var second: Int?
    public var nanosecond: Int?
    public var weekday: Int?
    public var isValidDate: Bool { false }
    public func isValidDate(in calendar: Calendar) -> Bool { false }
    public var timeZone: TimeZone? {
        get { nil }
        set {}
    }
}
public struct Calendar: Hashable, Sendable {
    public enum Identifier: Sendable { case gregorian, iso8601 }
    public enum Component: Hashable, Sendable { case era, year, month, day, hour, minute, second, nanosecond, weekday }
    public init(identifier: Identifier) {}
    public var timeZone: TimeZone {
        get { fatalError() }
        set {}
    }
    public var locale: Locale? {
        get { nil }
        set {}
    }
    public func date(from: DateComponents) -> Date? { nil }
    public func dateComponents(_ c: Set<Component>, from: Date) -> DateComponents { fatalError() }
    public func dateComponents(in: TimeZone, from: Date) -> DateComponents { fatalError() }
    public func date(byAdding c: Component, value: Int, to: Date, wrappingComponents: Bool = false) -> Date? { nil }
    public func component(_ c: Component, from: Date) -> Int { 0 }
    public func dateInterval(of c: Component, for: Date) -> DateInterval? { nil }
}
public struct UUID: Hashable, Sendable, Codable {
    public init() {}
    public var uuidString: String { "" }
    public init?(uuidString: String) {}
}
public struct CharacterSet: Hashable, Sendable, SetAlgebra {
    public typealias Element = Unicode.Scalar
    public init() {}
    public init(charactersIn: String) {}
    public static var whitespaces: CharacterSet { fatalError() }
    public static var whitespacesAndNewlines: CharacterSet { fatalError() }
    public static var urlQueryAllowed: CharacterSet { fatalError() }
    public static var urlPathAllowed: CharacterSet { fatalError() }
    public static var alphanumerics: CharacterSet { fatalError() }
    public static var urlHostAllowed: CharacterSet { fatalError() }
    public func contains(_ m: Unicode.Scalar) -> Bool { false }
    public mutating func insert(_ c: Unicode.Scalar) -> (inserted: Bool, memberAfterInsert: Unicode.Scalar) {
        fatalError()
    }
    public mutating func insert(charactersIn: String) {}
    public mutating func remove(charactersIn: String) {}
    public mutating func remove(_ c: Unicode.Scalar) -> Unicode.Scalar? { nil }
    public mutating func update(with c: Unicode.Scalar) -> Unicode.Scalar? { nil }
    public func union(_ o: CharacterSet) -> CharacterSet { o }
    public func intersection(_ o: CharacterSet) -> CharacterSet { o }
    public func symmetricDifference(_ o: CharacterSet) -> CharacterSet { o }
    public mutating func formUnion(_ o: CharacterSet) {}
    public mutating func formIntersection(_ o: CharacterSet) {}
    public mutating func formSymmetricDifference(_ o: CharacterSet) {}
}
public struct URL: Hashable, Sendable, Codable {
    public enum DirectoryHint: Sendable { case isDirectory, notDirectory, checkFileSystem, inferFromPath }
    public init?(string: String) {}
    @available(macOS 14.0, iOS 17.0, *) public init?(string: String, encodingInvalidCharacters: Bool) {}
    public init?(string: String, relativeTo: URL?) {}
    public init(fileURLWithPath: String) {}
    public init(fileURLWithPath: String, isDirectory: Bool) {}
    @available(macOS 13.0, iOS 16.0, *) public init(
        filePath: String,
        directoryHint: DirectoryHint = .inferFromPath,
        relativeTo: URL? = nil
    ) {}
    public var scheme: String? { nil }
    public var host: String? { nil }
    public var port: Int? { nil }
    public var path: String { "" }
    public var query: String? { nil }
    public var fragment: String? { nil }
    public var user: String? { nil }
    public var password: String? { nil }
    public var absoluteString: String { "" }
    public var lastPathComponent: String { "" }
    public var pathExtension: String { "" }
    public var isFileURL: Bool { false }
    public var absoluteURL: URL { self }
    public var standardized: URL { self }
    public var standardizedFileURL: URL { self }
    public var relativePath: String { "" }
    public func appendingPathComponent(_ s: String) -> URL { self }
    public func deletingLastPathComponent() -> URL { self }
    public func path(percentEncoded: Bool = true) -> String { "" }
    public func host(percentEncoded: Bool = true) -> String? { "" }
    @available(macOS 13.0, iOS 16.0, *) public func appending(
        path: some StringProtocol,
        directoryHint: DirectoryHint = .inferFromPath
    ) -> URL { self }
    @available(macOS 13.0, iOS 16.0, *) public func appending(queryItems: [URLQueryItem]) -> URL { self }
}
public struct URLQueryItem: Hashable, Sendable {
    public init(name: String, value: String?) { self.name = name }
    public var name: String
    public var value: String?
}
public struct URLComponents: Hashable, Sendable {
    public init() {}
    public init?(string: String) {}
    public init?(url: URL, resolvingAgainstBaseURL: Bool) {}
    @available(macOS 14.0, iOS 17.0, *) public init?(string: String, encodingInvalidCharacters: Bool) {}
    public var scheme: String?
    public var host: String?
    public var port: Int?
    public var path: String {
        get { "" }
        set {}
    }
    public var query: String?
    public var fragment: String?
    public var user: String?
    public var password: String?
    public var percentEncodedHost: String?
    public var percentEncodedPath: String {
        get { "" }
        set {}
    }
    public var percentEncodedQuery: String?
    @available(macOS 13.0, iOS 16.0, *) public var encodedHost: String? {
        get { nil }
        set {}
    }
    public var percentEncodedQueryItems: [URLQueryItem]?
    public var queryItems: [URLQueryItem]?
    public var url: URL? { nil }
    public var string: String? { nil }
}
public struct URLRequest: Hashable, Sendable {
    public enum CachePolicy: UInt, Sendable {
        case useProtocolCachePolicy, reloadIgnoringLocalCacheData, reloadIgnoringLocalAndRemoteCacheData,
            returnCacheDataElseLoad
    }
    public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60) {}
    public var url: URL?
    public var httpMethod: String?
    public var httpBody: Data?
    public var httpBodyStream: InputStream? {
        get { nil }
        set {}
    }
    public var timeoutInterval: TimeInterval {
        get { 0 }
        set {}
    }
    public var allHTTPHeaderFields: [String: String]?
    public var cachePolicy: CachePolicy {
        get { .useProtocolCachePolicy }
        set {}
    }
    public var httpShouldHandleCookies: Bool {
        get { false }
        set {}
    }
    public mutating func addValue(_ v: String, forHTTPHeaderField: String) {}
    public mutating func setValue(_ v: String?, forHTTPHeaderField: String) {}
    public func value(forHTTPHeaderField: String) -> String? { nil }
}
open class Stream: NSObject {
    open func open() {}
    open func close() {}
}
open class InputStream: Stream {
    open func read(_ b: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int { 0 }
    public init(data: Data) {}
    open var hasBytesAvailable: Bool { false }
}
@available(*, unavailable) extension Stream: Sendable {}
open class URLResponse: NSObject, @unchecked Sendable {
    open var url: URL? { nil }
    open var mimeType: String? { nil }
}
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    public init?(url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?) {}
    open var statusCode: Int { 0 }
    open var allHeaderFields: [AnyHashable: Any] { [:] }
    open func value(forHTTPHeaderField f: String) -> String? { nil }
}
open class URLCache: NSObject, @unchecked Sendable {
    public enum StoragePolicy: UInt, Sendable { case allowed, allowedInMemoryOnly, notAllowed }
}
open class CachedURLResponse: NSObject, @unchecked Sendable {}
open class HTTPCookieStorage: NSObject, @unchecked Sendable {}
open class URLSessionTask: NSObject, @unchecked Sendable {
    open var originalRequest: URLRequest? { nil }
    open var currentRequest: URLRequest? { nil }
    open var response: URLResponse? { nil }
    public enum State: Int, Sendable { case running, suspended, canceling, completed }
    open var state: State { .running }
    open func suspend() {}
    open func resume() {}
    open func cancel() {}
}
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLProtectionSpace: NSObject, @unchecked Sendable {
    open var serverTrust: SecTrust? { nil }
}
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
    open var protectionSpace: URLProtectionSpace { fatalError() }
}
open class URLCredential: NSObject, @unchecked Sendable {
    public convenience init(trust: SecTrust) { fatalError() }
}
// The method is optional.
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )
}
extension URLSessionDelegate {
    public func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {}
}
public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    )
}
open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    open class var ephemeral: URLSessionConfiguration { fatalError() }
    open class var `default`: URLSessionConfiguration { fatalError() }
    open var urlCache: URLCache? {
        get { nil }
        set {}
    }
    open var requestCachePolicy: URLRequest.CachePolicy {
        get { .useProtocolCachePolicy }
        set {}
    }
    open var httpCookieStorage: HTTPCookieStorage? {
        get { nil }
        set {}
    }
    open var httpShouldSetCookies: Bool {
        get { false }
        set {}
    }
    open var protocolClasses: [AnyClass]? {
        get { nil }
        set {}
    }
    open var timeoutIntervalForRequest: TimeInterval {
        get { 0 }
        set {}
    }
    open var timeoutIntervalForResource: TimeInterval {
        get { 0 }
        set {}
    }
    open var httpMaximumConnectionsPerHost: Int {
        get { 0 }
        set {}
    }
    open var waitsForConnectivity: Bool {
        get { false }
        set {}
    }
    open var httpAdditionalHeaders: [AnyHashable: Any]? {
        get { nil }
        set {}
    }
}
open class OperationQueue: NSObject, @unchecked Sendable {}
open class URLSession: NSObject, @unchecked Sendable {
    open class var shared: URLSession { fatalError() }
    public init(configuration: URLSessionConfiguration) {}
    public init(
        configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)?,
        delegateQueue: OperationQueue?
    ) {}
    public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
    }
    open var configuration: URLSessionConfiguration { fatalError() }
    public func data(for: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil) async throws -> (Data, URLResponse)
    { fatalError() }
    public func data(from: URL, delegate: (any URLSessionTaskDelegate)? = nil) async throws -> (Data, URLResponse) {
        fatalError()
    }
    public func upload(for: URLRequest, from: Data, delegate: (any URLSessionTaskDelegate)? = nil) async throws -> (
        Data, URLResponse
    ) { fatalError() }
    open func invalidateAndCancel() {}
    open func finishTasksAndInvalidate() {}
    open func dataTask(
        with: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask { fatalError() }
}
public protocol URLProtocolClient: NSObjectProtocol {
    func urlProtocol(_ p: URLProtocol, didReceive: URLResponse, cacheStoragePolicy: URLCache.StoragePolicy)
    func urlProtocol(_ p: URLProtocol, didLoad: Data); func urlProtocolDidFinishLoading(_ p: URLProtocol)
    func urlProtocol(_ p: URLProtocol, didFailWithError: any Error)
}
open class URLProtocol: NSObject {
    public init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?) {}
    open var client: (any URLProtocolClient)? { nil }
    open var request: URLRequest { fatalError() }
    open var task: URLSessionTask? { nil }
    open class func canInit(with request: URLRequest) -> Bool { false }
    open class func canInit(with task: URLSessionTask) -> Bool { false }
    open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    open func startLoading() {}
    open func stopLoading() {}
}
public struct Decimal: Hashable, Codable, Sendable {
    public init?(string: String, locale: Locale? = nil) {}
}
public let NSURLErrorFailingURLErrorKey = ""
public struct URLError: Error, Hashable, Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
    }
    public init(_ code: Code, userInfo: [String: Any] = [:]) {}
    public var code: Code { fatalError() }
    public var localizedDescription: String { "" }
    public var failingURL: URL? { nil }
    public static var timedOut: Code { fatalError() }
}
extension URLError.Code {
    public static var badURL: Self { fatalError() }
    public static var cancelled: Self { fatalError() }
    public static var timedOut: Self { fatalError() }
    public static var cannotConnectToHost: Self { fatalError() }
    public static var secureConnectionFailed: Self { fatalError() }
    public static var serverCertificateUntrusted: Self { fatalError() }
    public static var cannotFindHost: Self { fatalError() }
    public static var dnsLookupFailed: Self { fatalError() }
    public static var notConnectedToInternet: Self { fatalError() }
    public static var networkConnectionLost: Self { fatalError() }
    public static var badServerResponse: Self { fatalError() }
    public static var cannotParseResponse: Self { fatalError() }
    public static var unsupportedURL: Self { fatalError() }
    public static var userAuthenticationRequired: Self { fatalError() }
    public static var unknown: Self { fatalError() }
    public static var cannotDecodeContentData: Self { fatalError() }
    public static var cannotDecodeRawData: Self { fatalError() }
    public static var httpTooManyRedirects: Self { fatalError() }
    public static var zeroByteResource: Self { fatalError() }
    public static var resourceUnavailable: Self { fatalError() }
    public static var dataNotAllowed: Self { fatalError() }
}
public protocol LocalizedError: Error {
    var errorDescription: String? { get }; var failureReason: String? { get }; var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}
extension LocalizedError {
    public var errorDescription: String? { nil }
    public var failureReason: String? { nil }
    public var recoverySuggestion: String? { nil }
    public var helpAnchor: String? { nil }
}
extension Error { public var localizedDescription: String { "" } }
open class NSError: NSObject, Error, @unchecked Sendable {
    open var domain: String { "" }
    open var code: Int { 0 }
}
open class JSONEncoder: @unchecked Sendable {
    public init() {}
    open func encode<T: Encodable>(_ v: T) throws -> Data { fatalError() }
    public struct OutputFormatting: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let sortedKeys = Self(rawValue: 1)
        public static let prettyPrinted = Self(rawValue: 2)
        public static let withoutEscapingSlashes = Self(rawValue: 4)
    }
    open var outputFormatting: OutputFormatting = []
    public enum DateEncodingStrategy: Sendable {
        case deferredToDate, iso8601
        case custom(@Sendable (Date, any Encoder) throws -> Void)
    }
    open var dateEncodingStrategy: DateEncodingStrategy = .deferredToDate
}
open class JSONDecoder: @unchecked Sendable {
    public init() {}
    open func decode<T: Decodable>(_ t: T.Type, from: Data) throws -> T { fatalError() }
    public enum DateDecodingStrategy: Sendable {
        case deferredToDate, iso8601
        case custom(@Sendable (any Decoder) throws -> Date)
    }
    open var dateDecodingStrategy: DateDecodingStrategy = .deferredToDate
    public enum KeyDecodingStrategy: Sendable { case useDefaultKeys, convertFromSnakeCase }
    open var keyDecodingStrategy: KeyDecodingStrategy = .useDefaultKeys
    open var userInfo: [CodingUserInfoKey: any Sendable] = [:]
}
extension String {
    public struct Encoding: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let utf8 = Self(rawValue: 4)
        public static let ascii = Self(rawValue: 1)
        public static let isoLatin1 = Self(rawValue: 5)
    }
    public struct CompareOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let caseInsensitive = Self(rawValue: 1)
        public static let backwards = Self(rawValue: 4)
        public static let literal = Self(rawValue: 2)
        public static let regularExpression = Self(rawValue: 1024)
    }
    public init?(data: Data, encoding: Encoding) { fatalError() }
    public init(format: String, _ args: any CVarArg...) { fatalError() }
    public init(format: String, locale: Locale?, _ args: any CVarArg...) { fatalError() }
    public init?<S: Sequence>(bytes: S, encoding: Encoding) where S.Element == UInt8 { fatalError() }
}
extension StringProtocol {
    public func data(using: String.Encoding, allowLossyConversion: Bool = false) -> Data? { nil }
    public func trimmingCharacters(in: CharacterSet) -> String { "" }
    public func components(separatedBy: String) -> [String] { [] }
    public func addingPercentEncoding(withAllowedCharacters: CharacterSet) -> String? { nil }
    public var removingPercentEncoding: String? { nil }
    public func caseInsensitiveCompare<T: StringProtocol>(_ s: T) -> ComparisonResult { .orderedSame }
    public func compare<T: StringProtocol>(
        _ s: T,
        options: String.CompareOptions = [],
        range: Range<Index>? = nil,
        locale: Locale? = nil
    ) -> ComparisonResult { .orderedSame }
    public func replacingOccurrences<A: StringProtocol, B: StringProtocol>(
        of: A,
        with: B,
        options: String.CompareOptions = [],
        range: Range<Index>? = nil
    ) -> String { "" }
    public func range<T: StringProtocol>(
        of: T,
        options: String.CompareOptions = [],
        range: Range<Index>? = nil,
        locale: Locale? = nil
    ) -> Range<Index>? { nil }
    public func contains<T: StringProtocol>(_ s: T) -> Bool { false }
    public var capitalized: String { "" }
}

public struct DateInterval: Hashable, Sendable {
    public var start: Date
    public var end: Date
    public var duration: TimeInterval { 0 }
}
extension Data { public init(count: Int) {} }
