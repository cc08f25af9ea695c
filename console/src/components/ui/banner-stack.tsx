// Several banners as one stack with a common edge; what they say changes by the second, so only their number is announced.
import type { ReactNode } from 'react'

export function BannerStack({ label, said, children }: { label: string; said: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      data-slot="banner-stack"
      className="mb-3 flex-none overflow-hidden rounded-lg border border-border-strong *:data-[slot=banner]:rounded-none *:data-[slot=banner]:border-x-0 *:data-[slot=banner]:border-t-0 *:data-[slot=banner]:border-border-strong *:data-[slot=banner]:last:border-b-0 *:data-[tone=err]:shadow-[inset_2px_0_0_var(--err-solid)] *:data-[tone=warn]:shadow-[inset_2px_0_0_var(--warn-solid)]"
    >
      <p role="status" className="sr-only">{said}</p>
      {children}
    </section>
  )
}
