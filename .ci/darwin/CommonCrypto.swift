// The signatures of the part of Apple's CommonCrypto that this package uses. Nothing here is ever run.

@_exported import Darwin

public typealias CCOperation = UInt32
public typealias CCAlgorithm = UInt32
public typealias CCOptions = UInt32
public typealias CCCryptorStatus = Int32
public let kCCEncrypt = 0
public let kCCAlgorithm3DES = 2
public let kCCSuccess = 0

public func CCCrypt(
    _ operation: CCOperation,
    _ algorithm: CCAlgorithm,
    _ options: CCOptions,
    _ key: UnsafeRawPointer!,
    _ keyLength: Int,
    _ vector: UnsafeRawPointer!,
    _ input: UnsafeRawPointer!,
    _ inputLength: Int,
    _ output: UnsafeMutableRawPointer!,
    _ outputAvailable: Int,
    _ outputMoved: UnsafeMutablePointer<Int>!
) -> CCCryptorStatus { 0 }
