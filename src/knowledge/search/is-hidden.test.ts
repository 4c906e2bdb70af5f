import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { permitsInside } from '../../guards/policy/unreadable-paths.ts'
import { hiddenBy } from '../../guards/policy/hidden-paths.ts'
import { listingPolicy, makePolicy } from '../../guards/policy/policy.ts'
import { isHiddenBy } from './is-hidden.ts'

const name = fc.constantFrom('a', 'b', 'src', 'SRC', '.env', 'key.pem', 'KEY.PEM', 'straße')
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map(names => names.join('/'))
const glob = fc
  .array(fc.oneof(name, fc.constantFrom('*', '**', '*.pem', '.*', '{a,b}', 's*')), { minLength: 1, maxLength: 4 })
  .map(parts => parts.join('/'))
const rule = fc.record({ verdict: fc.constantFrom('deny', 'ask', 'allow'), path: glob })

describe('isHiddenBy', () => {
  it('says of every file what the rules say of it alone', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 3 }), fc.array(path, { minLength: 1, maxLength: 20 }), (rules, paths) => {
        const policy = makePolicy({
          rules: rules.map((one, at) => ({ ...one, id: `${at}`, action: 'read', source: 'user' })),
        })
        const mayRead = permitsInside(listingPolicy(policy), 'read', 'allow')
        const isHidden = isHiddenBy({ mayRead, hides: hiddenBy(policy) })
        expect(paths.map(isHidden)).toEqual(paths.map(each => !mayRead(each)))
      }),
    )
  })

  it('asks no rule about files where none reaches', () => {
    const asked: string[] = []
    const isHidden = isHiddenBy({
      mayRead: () => false,
      hides: {
        matches: each => asked.push(each) > 0,
        covers: () => false,
        reaches: directory => directory === '' || directory === 'secrets',
        names: () => true,
      },
    })
    expect(['a', 'src/b', 'src/deep/secrets/c', 'secrets/d'].map(isHidden)).toEqual([true, false, false, true])
    expect(asked).toEqual(['a', 'secrets/d'])
  })
})
