// Stands in for Darwin: Glibc, but for what is of another type there. It is here so that `canImport(Darwin)` holds.
@_exported import Glibc

public let SOCK_STREAM: Int32 = 1
public let SO_NOSIGPIPE: Int32 = 0x1022
public let SO_NWRITE: Int32 = 0x1024

extension stat {
  public var st_mtimespec: timespec { st_mtim }
  public var st_ctimespec: timespec { st_ctim }
}
