// The time that the page shows: players and plots over time follow it, whoever sets it.
const clock = {
  time: null,
  followers: [],

  follow(heard) {
    this.followers.push(heard);
    if (this.time !== null) heard(this.time, null);
  },

  // `source` is who sets it, and need not hear of it.
  set(time, source) {
    this.time = time;
    for (const heard of this.followers) heard(time, source);
  },
};

const wantsNoMotion = window.matchMedia("(prefers-reduced-motion: reduce)").matches;

// The index of the number nearest to `value` in an ascending list.
function nearest(list, value) {
  let low = 0, high = list.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low > 0 && value - list[low - 1] <= list[low] - value ? low - 1 : low;
}
