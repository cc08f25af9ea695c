import { expect, it } from 'vitest'
import { indented } from './indented'

it('puts each element of XML on its line', () => {
  expect(indented('<?xml version="1.0"?><a x="1"><b>1</b><c/><d><e>2 &lt; 3</e></d></a>')).toBe('<?xml version="1.0"?>\n<a x="1">\n  <b>1</b>\n  <c/>\n  <d>\n    <e>2 &lt; 3</e>\n  </d>\n</a>')
})
it('leaves an excerpt that was cut off, and other texts, readable', () => {
  expect(indented('<a><b>1')).toBe('<a>\n  <b>1')
  expect(indented('503 Service <b>')).toBe('503 Service <b>')
})
