// @vitest-environment jsdom
// A row stays under the pointer and under the focus, and the order follows once they are gone.
import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { useStillOrder } from './use-still-order'

afterEach(cleanup)

function Rows({ names }: { names: string[] }) {
  const { queues, reading } = useStillOrder(names.map((name) => ({ name })))
  return <ul {...reading}>{queues.map(({ name }) => <li key={name}><button type="button">{name}</button></li>)}</ul>
}

function start() {
  const { container, rerender } = render(<Rows names={['import', 'bulk', 'mail']} />)
  const list = container.firstElementChild as HTMLElement
  return { list, shown: () => [...list.querySelectorAll('button')].map((one) => one.textContent).join(' '), come: (...names: string[]) => rerender(<Rows names={names} />) }
}

describe('the order of rows', () => {
  it('is the server’s while nobody is there', () => {
    const { shown, come } = start()
    come('mail', 'import', 'bulk')
    expect(shown()).toBe('mail import bulk')
  })
  it('stays under the pointer and follows when it leaves', () => {
    const { list, shown, come } = start()
    fireEvent.pointerEnter(list)
    come('mail', 'import', 'bulk')
    expect(shown()).toBe('import bulk mail')
    fireEvent.pointerLeave(list)
    expect(shown()).toBe('mail import bulk')
  })
  it('stays under the focus, also when it moves from row to row', () => {
    const { list, shown, come } = start()
    const first = list.querySelectorAll('button')[0] as HTMLElement
    const second = list.querySelectorAll('button')[1] as HTMLElement
    fireEvent.focus(first)
    fireEvent.blur(first, { relatedTarget: second })
    come('mail', 'import', 'bulk')
    expect(shown()).toBe('import bulk mail')
    fireEvent.blur(second, { relatedTarget: null })
    expect(shown()).toBe('mail import bulk')
  })
  it('shows a queue that is new at once', () => {
    const { list, shown, come } = start()
    fireEvent.pointerEnter(list)
    come('cron', 'mail', 'import', 'bulk')
    expect(shown()).toBe('cron mail import bulk')
  })
})
