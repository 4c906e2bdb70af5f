/** Types of the language's own library that call few methods of what derives from them: which ones. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  java: {
    Runnable: /^run$/,
    Callable: /^call$/,
    Comparable: /^compareTo$/,
    Comparator: /^compare$/,
    Iterable: /^(iterator|forEach|spliterator)$/,
    AutoCloseable: /^close$/,
    Closeable: /^close$/,
    Cloneable: /^clone$/,
    Serializable: /^(readObject|writeObject|readResolve|writeReplace|readObjectNoData)$/,
    Supplier: /^get$/,
    Consumer: /^accept$/,
    Predicate: /^test$/,
    Function: /^apply$/,
    BiFunction: /^apply$/,
    Exception: /^(getMessage|getLocalizedMessage|getCause|initCause|toString|fillInStackTrace|printStackTrace)$/,
    RuntimeException: /^(getMessage|getLocalizedMessage|getCause|initCause|toString|fillInStackTrace|printStackTrace)$/,
  },
  csharp: {
    IComparable: /^CompareTo$/,
    IEquatable: /^Equals$/,
    IDisposable: /^Dispose$/,
    IAsyncDisposable: /^DisposeAsync$/,
    IComparer: /^Compare$/,
    // A collection initializer calls `Add`.
    IEnumerable: /^(GetEnumerator|Add)$/,
    ICloneable: /^Clone$/,
  },
  swift: {
    Equatable: /^==$/,
    Comparable: /^(==|<|>|<=|>=)$/,
    Hashable: /^(==|hash|hashValue)$/,
    Identifiable: /^id$/,
    Codable: /^(encode|init)$/,
    Encodable: /^encode$/,
    Decodable: /^init$/,
    CaseIterable: /^allCases$/,
    Sequence: /^(makeIterator|underestimatedCount|withContiguousStorageIfAvailable)$/,
    IteratorProtocol: /^next$/,
    Error: /^$/,
    CustomStringConvertible: /^description$/,
    CustomDebugStringConvertible: /^debugDescription$/,
    Sendable: /^$/,
    AnyObject: /^$/,
    // The raw type of an enumeration.
    String: /^$/,
    Int: /^$/,
  },
  php: {
    ArrayAccess: /^offset(Get|Set|Exists|Unset)$/,
    Countable: /^count$/,
    IteratorAggregate: /^getIterator$/,
    Iterator: /^(current|key|next|rewind|valid)$/,
    JsonSerializable: /^jsonSerialize$/,
    Stringable: /^__toString$/,
    Serializable: /^(un)?serialize$/,
    Exception: /^__\w+$/,
  },
  cpp: {
    exception: /^what$/,
    runtime_error: /^what$/,
    logic_error: /^what$/,
    invalid_argument: /^what$/,
    out_of_range: /^what$/,
    enable_shared_from_this: /^$/,
    true_type: /^$/,
    false_type: /^$/,
  },
  ruby: {
    Comparable: /^<=>$/,
    Enumerable: /^(each|<=>)$/,
    StandardError: /^(message|full_message|detailed_message|to_s|backtrace|cause|exception)$/,
  },
}

/** Reports whether a type of a library or of the language may call a method of this name. */
export function mayCall(language: string, type: string, method: string): boolean {
  const types = KNOWN[language]
  const methods = types && Object.hasOwn(types, type) ? types[type] : undefined
  return methods?.test(method) ?? true
}

/** Methods that interfaces of Go's own library ask for, with the number of their parameters. */
const GO_INTERFACES = new Set(
  (
    'Error0 String0 GoString0 Format2 Scan2 Len0 Less2 Swap2 Push1 Pop0 ServeHTTP2 RoundTrip1 Header0 WriteHeader1 ' +
    'Flush0 Hijack0 Read1 Write1 Close0 Seek2 ReadAt2 WriteAt2 ReadFrom1 WriteTo1 ReadByte0 UnreadByte0 WriteByte1 ' +
    'ReadRune0 UnreadRune0 WriteString1 MarshalJSON0 UnmarshalJSON1 MarshalText0 UnmarshalText1 AppendText1 ' +
    'MarshalBinary0 UnmarshalBinary1 AppendBinary1 MarshalXML2 UnmarshalXML2 MarshalXMLAttr1 UnmarshalXMLAttr1 ' +
    'GobEncode0 GobDecode1 Unwrap0 Is1 As1 Timeout0 Temporary0 Lock0 Unlock0 Value0 Value1 Deadline0 Done0 Err0 ' +
    'Set1 Get0 IsBoolFlag0 Open1 Stat0 Stat1 Sys0 Name0 Size0 Mode0 ModTime0 IsDir0 Type0 Info0 ReadDir1 ReadFile1 ' +
    'Glob1 Sub1 Sum1 Reset0 BlockSize0 Public0 Sign3 Decrypt3 Accept0 Addr0 Network0 LocalAddr0 RemoteAddr0 ' +
    'SetDeadline1 SetReadDeadline1 SetWriteDeadline1 Handle2 Enabled2 WithAttrs1 WithGroup1 LogValue0 Visit1 At2 ' +
    'Bounds0 ColorModel0 RGBA0 Convert1 Int630 Uint640 Seed1 Next1 Columns0 Prepare1 Begin0 Exec1 Query1 Commit0 ' +
    'Rollback0 RowsAffected0 LastInsertId0 NumInput0 Connect1 Driver0 SetCookies2 Cookies1 Token0 Pos0 End0'
  ).split(' '),
)

/** Reports whether an interface of Go's own library asks for a method of this name and number of parameters. */
export const isAskedByGo = (name: string, count: number): boolean => GO_INTERFACES.has(`${name}${count}`)

const GO_LIBRARY =
  /^(archive|bufio|bytes|C|cmp|compress|container|context|crypto|database|debug|embed|encoding|errors|expvar|flag|fmt|go|hash|image|index|io|iter|log|maps|math|mime|net|os|path|plugin|regexp|runtime|slices|sort|strconv|strings|structs|sync|syscall|testing|time|unicode|unique|unsafe|weak)(\/|$)/

/**
 * Reports whether a package of Go's own library calls methods of the values that it gets only through its interfaces: a
 * template calls them by their names.
 */
export const asksByInterfaces = (module: string): boolean =>
  GO_LIBRARY.test(module) && !/\btemplate$|^net\/rpc\b/.test(module)
