/** Kotlin methods called by convention, each with a text that every such call contains. */
const KOTLIN: Readonly<Record<string, string>> = {
  plus: '+',
  minus: '-',
  times: '*',
  div: '/',
  rem: '%',
  plusAssign: '+=',
  minusAssign: '-=',
  timesAssign: '*=',
  divAssign: '/=',
  remAssign: '%=',
  unaryPlus: '+',
  unaryMinus: '-',
  not: '!',
  inc: '++',
  dec: '--',
  rangeTo: '..',
  rangeUntil: '..<',
  contains: 'in',
  get: '[',
  set: '[',
  invoke: '(',
  iterator: 'for',
  equals: '=',
  compareTo: '',
  getValue: 'by',
  setValue: 'by',
  provideDelegate: 'by',
}

/** Methods that the language, the browser and common frameworks call on objects passed to them. */
const SCRIPT =
  /^\[.+\]$|^(toString|toLocaleString|toJSON|valueOf|then|handleEvent|observedAttributes)$|^(connected|disconnected|adopted|connectedMove|attributeChanged|form[A-Z]\w*)Callback$|^component(Did|Will)\w+$|^(shouldComponentUpdate|getSnapshotBeforeUpdate|getDerivedStateFrom(Props|Error))$|^ng(On|Do|After)[A-Z]\w*$/

/** Methods that a language calls implicitly, without a type that says so. */
const BY_ITSELF: Readonly<Record<string, RegExp>> = {
  javascript: SCRIPT,
  typescript: SCRIPT,
  kotlin: /^(toString|hashCode|next|hasNext|close)$/,
  java: /^(toString|equals|hashCode|finalize|iterator|next|hasNext|close|(read|write)Object|readResolve|writeReplace)$/,
  python: /^__(?!init__$)\w+__$/,
  php: /^__(?!construct$)\w+$|^offset(Get|Set|Exists|Unset)$/,
  ruby: /^\W+$|^(call|each|hash|eql\?|inspect|to_(s|str|sym|proc|a|ary|h|hash|i|int|f|r|c|io|path|json)|coerce|method_missing|respond_to_missing\?|const_missing|inherited|included|extended|prepended|(singleton_)?method_(added|removed|undefined)|initialize_(copy|dup|clone)|marshal_(dump|load)|deconstruct(_keys)?)$/,
  rust: /^(add|sub|mul|div|rem|neg|not|bitand|bitor|bitxor|shl|shr|\w+_assign|index|index_mut|deref|deref_mut|drop|eq|ne|lt|le|gt|ge|cmp|partial_cmp|fmt|next|into_iter|from|into|call|call_mut|call_once|poll|into_future)$/,
  csharp:
    /^(ToString|Equals|GetHashCode|GetEnumerator|GetAsyncEnumerator|MoveNext|MoveNextAsync|Dispose|DisposeAsync|Deconstruct|GetAwaiter|GetPinnableReference|Slice|Finalize)$|\W/,
  swift:
    /^\W+$|^(subscript|callAsFunction|dynamicallyCall|makeIterator|makeAsyncIterator|next|deinit|wrappedValue|projectedValue|append(Literal|Interpolation)|build(Block|Optional|Either|Array|Expression|FinalResult|PartialBlock|LimitedAvailability))$/,
  c: /^operator\b|^~/,
  cpp: /^operator\b|^~|^(begin|end)$/,
}

/**
 * The text of the operator that calls a function, to search for; undefined if none does. Kotlin operators also call
 * Java methods.
 */
export function operatorOf(language: string, name: string, head: string): string | undefined {
  if (language !== 'kotlin' && language !== 'java') return undefined
  if (/^component\d+$/.test(name)) return '('
  const sign = Object.hasOwn(KOTLIN, name) ? KOTLIN[name] : undefined
  return language === 'java' || /\b(operator|override)\b/.test(head) ? sign : undefined
}

/** Reports whether a function is called implicitly, with no text to search for. */
export const isCalledImplicitly = (language: string, name: string): boolean => BY_ITSELF[language]?.test(name) ?? false
