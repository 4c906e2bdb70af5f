import { expect, it } from 'vitest'
import { possibleCallers } from '../../../../tests/code/written-callers.ts'

it('a Kotlin reference ::load may pass on a member or the function of that name outside of its class', async () => {
  const files = {
    'A.kt': `package p
fun load(id: Int) = id
fun same(id: Int) = id
class Store {
  fun load(name: String) = name
  fun same(id: Int) = id
  fun inMember() = listOf(1).map(::load)
  val inProperty = listOf(1).map(::load)
  fun hidden() = listOf(1).map(::same)
}
`,
  }
  const places = ['Store.inMember @A.kt:7', 'Store @A.kt:8']
  expect(await possibleCallers(files, 'A.kt', 'load')).toEqual(places)
  expect(await possibleCallers(files, 'A.kt', 'Store.load')).toEqual(places)
  expect(await possibleCallers(files, 'A.kt', 'same')).toEqual([])
})
