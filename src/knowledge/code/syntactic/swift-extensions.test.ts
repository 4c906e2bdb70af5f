import { describe, expect, it } from 'vitest'
import { writtenAnswer } from '../../../../tests/code/written-callers.ts'

describe('a function of Swift that is handed on', () => {
  const files = {
    'VC.swift': `class VC {
  @objc func tapped() {}
  func given() {}
  func stored() {}
  func named() {}
  func wire(button: Button) {
    button.addTarget(self, action: #selector(tapped))
    run(self.given)
    let kept = stored
    button.perform(Selector("named"))
  }
}
`,
    'V.swift': 'class V {\n  func odd() {}\n  func go(n: String) { NSSelectorFromString(n) }\n}\n',
  }

  it.each([
    ['VC.tapped', 7, 'passed as a value'],
    ['VC.given', 8, 'passed as a value'],
    ['VC.stored', 9, 'passed as a value'],
    ['VC.named', 10, 'a text of its name, by which it may be looked up'],
  ])('as %s has a possible caller', async (asked, line, why) => {
    const { callers, possible } = await writtenAnswer(files, 'VC.swift', asked)
    expect([callers, possible]).toEqual([[], [{ name: 'VC.wire', path: 'VC.swift', line, why }]])
  })

  it('may be looked up by a computed name', async () => {
    expect((await writtenAnswer(files, 'V.swift', 'V.odd')).unknown).toEqual([
      'Functions are looked up by computed names, which may be its: V.swift:3',
    ])
  })
})

describe('an extension of Swift', () => {
  const files = {
    'Q.swift': `struct Q {}
extension Q {
  var foo: String {
    render2()
  }
  var bar: String {
    self.bar2()
  }
  func render2() -> String { "" }
  func bar2() -> String { "" }
}
func render2() -> String { "top" }
`,
  }

  it('calls its members without a receiver, and by self', async () => {
    const { callers, possible } = await writtenAnswer(files, 'Q.swift', 'Q.render2')
    expect([callers.map(({ line }) => line), possible]).toEqual([[4], []])
    const other = await writtenAnswer(files, 'Q.swift', 'Q.bar2')
    expect([other.callers.map(({ line }) => line), other.possible]).toEqual([[7], []])
  })
})
