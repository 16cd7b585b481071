// A library that is not where the loader looks.
int lost_number() {
  return 1;
}
