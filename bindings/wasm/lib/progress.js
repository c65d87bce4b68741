// SPDX-License-Identifier: Apache-2.0

// How far a long call of the engine is, told while it runs.

export class Progress {
  #listener = null;
  #fault = null;

  /** The engine's import: whether the call goes on. What a listener throws ends the call. */
  tell = (fraction) => {
    try {
      return this.#listener?.(fraction) === false ? 0 : 1;
    } catch (fault) {
      this.#fault = { fault };
      return 0;
    }
  };

  /** Makes a call that tells the listener, if there is one. */
  during(listener, call) {
    this.#listener = listener ?? null;
    try {
      const answer = call();
      if (this.#fault !== null) throw this.#fault.fault;
      return answer;
    } finally {
      this.#listener = this.#fault = null;
    }
  }
}
