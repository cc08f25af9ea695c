// A piece of the program that comes when it is needed, such as a dialog; if it cannot be fetched, the page stays and says so.
import { Component, type ReactNode, Suspense } from 'react'
import { chunkError } from '@/lib/chunk-error'
import { common } from '@/lib/common'
import { toasts } from '@/lib/toasts'

type Props = { onLost: () => void; children: ReactNode }

export class Piece extends Component<Props, { error: unknown }> {
  override state = { error: null as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown) {
    if (!chunkError(error)) return
    toasts.error(`${common.chunkFailed()} ${common.reloadPage()}`)
    this.props.onLost()
  }

  override render() {
    // Any other error is the page's to show.
    if (this.state.error !== null && !chunkError(this.state.error)) throw this.state.error
    return this.state.error === null ? <Suspense>{this.props.children}</Suspense> : null
  }
}
