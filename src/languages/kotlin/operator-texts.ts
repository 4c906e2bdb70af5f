/** Kotlin methods called by convention, each with a text that every such call contains. */
const TEXTS: Readonly<Record<string, string>> = {
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

/** The text that every call of a method by its operator contains; undefined if there is no operator. */
export function operatorText(name: string): string | undefined {
  if (/^component\d+$/.test(name)) return '('
  return Object.hasOwn(TEXTS, name) ? TEXTS[name] : undefined
}
