// The signatures of the part of Apple's Core Foundation that this package uses. Nothing here is ever run.

@_exported import Darwin

public typealias CFIndex = Int
public typealias OSStatus = Int32
public typealias CFTypeRef = AnyObject
public final class CFAllocator {}
public final class CFData {}
public class CFArray {}
public final class CFMutableArray: CFArray {}
public class CFDictionary {}
public final class CFMutableDictionary: CFDictionary {}
public final class CFString { public init() {} }
public final class CFError {}
public final class CFBoolean {}
public struct CFArrayCallBacks {}
public struct CFDictionaryKeyCallBacks {}
public struct CFDictionaryValueCallBacks {}
public typealias CFStringEncoding = UInt32
public enum CFStringBuiltInEncodings: CFStringEncoding { case UTF8 = 0x0800_0100 }

nonisolated(unsafe) public let kCFBooleanTrue: CFBoolean! = nil
public let kCFTypeArrayCallBacks = CFArrayCallBacks()
public let kCFTypeDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()
public let kCFTypeDictionaryValueCallBacks = CFDictionaryValueCallBacks()

public func CFDataCreate(_ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex) -> CFData! { nil }
public func CFDataGetBytePtr(_ data: CFData!) -> UnsafePointer<UInt8>! { nil }
public func CFDataGetLength(_ data: CFData!) -> CFIndex { 0 }
public func CFArrayCreateMutable(
    _ allocator: CFAllocator!, _ capacity: CFIndex, _ callBacks: UnsafePointer<CFArrayCallBacks>!
) -> CFMutableArray! { nil }
public func CFArrayAppendValue(_ array: CFMutableArray!, _ value: UnsafeRawPointer!) {}
public func CFArrayGetCount(_ array: CFArray!) -> CFIndex { 0 }
public func CFArrayGetValueAtIndex(_ array: CFArray!, _ index: CFIndex) -> UnsafeRawPointer! { nil }
public func CFDictionaryCreateMutable(
    _ allocator: CFAllocator!, _ capacity: CFIndex, _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
    _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
) -> CFMutableDictionary! { nil }
public func CFDictionarySetValue(
    _ dictionary: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {}
public func CFDictionaryGetValue(_ dictionary: CFDictionary!, _ key: UnsafeRawPointer!) -> UnsafeRawPointer! { nil }
public func CFStringCreateWithCString(
    _ allocator: CFAllocator!, _ text: UnsafePointer<CChar>!, _ encoding: CFStringEncoding
) -> CFString! { nil }
public func CFStringGetCString(
    _ string: CFString!, _ buffer: UnsafeMutablePointer<CChar>!, _ size: CFIndex, _ encoding: CFStringEncoding
) -> Bool { false }
