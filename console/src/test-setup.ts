// What every unit test starts with: matchers and Estonian.
import '@testing-library/jest-dom/vitest'
