// The signatures of the part of XCTest that is used, written by hand.
@_exported import Foundation

open class XCTest: NSObject {
    open func setUp() async throws {}
    open func tearDown() async throws {}
    open func setUpWithError() throws {}
    open func tearDownWithError() throws {}
}
open class XCTestCase: XCTest {
    public override init() {}
    open var name: String { "" }
    open var continueAfterFailure = true
    open func add(_ attachment: XCTAttachment) {}
}
open class XCTAttachment: NSObject {
    public init(data: Data) {}
    open var name: String? {
        get { nil }
        set {}
    }
}
public func XCTFail(_ message: String = "", file: StaticString = #filePath, line: UInt = #line) {}
public func XCTAssertEqual<T: Equatable>(
    _ a: @autoclosure () throws -> T,
    _ b: @autoclosure () throws -> T,
    _ message: @autoclosure () -> String = "",
    file: StaticString = #filePath,
    line: UInt = #line
) {}
public func XCTUnwrap<T>(
    _ expression: @autoclosure () throws -> T?,
    _ message: @autoclosure () -> String = "",
    file: StaticString = #filePath,
    line: UInt = #line
) throws -> T { fatalError() }
