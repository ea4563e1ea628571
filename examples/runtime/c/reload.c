/* A host that loads the library as a plugin: `reload LIBRARY never`, `reload LIBRARY ROUNDS`,
 * and as two: `reload LIBRARY apart COPY`. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *library;

static void *one_round(void *call)
{
    int32_t devices = 0;
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(3);
    }
    if (call != NULL) {
        int32_t (*device_count)(int32_t *);
        *(void **)&device_count = dlsym(handle, "runtime_device_count");
        if (device_count == NULL || device_count(&devices) != 0 || device_count(NULL) != -2)
            exit(4);
    }
    if (dlclose(handle) != 0)
        exit(5);
    return NULL;
}

static void in_a_thread(void *call)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, one_round, call) != 0)
        exit(6);
    pthread_join(thread, NULL);
}

/* The mappings of files, or only how many there are of the library. */
static size_t mapped(char *text, size_t room)
{
    char line[4096];
    size_t length = 0, ours = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    if (maps == NULL)
        exit(7);
    while (fgets(line, sizeof line, maps) != NULL) {
        if (strstr(line, "libkina_runtime") != NULL)
            ours++;
        if (text != NULL && strchr(line, '/') != NULL && length + strlen(line) < room) {
            strcpy(text + length, line);
            length += strlen(line);
        }
    }
    fclose(maps);
    return ours;
}

static void *symbol(void *handle, const char *name)
{
    void *found = handle == NULL ? NULL : dlsym(handle, name);
    if (found == NULL)
        exit(3);
    return found;
}

/* Recording in one says nothing to the other, although both offer all their names to everybody. */
static int apart(const char *copy)
{
    void *handles[2];
    int32_t (*init[2])(int32_t), (*count[2])(int32_t *), (*code[2])(void), devices = 0;
    int i;
    handles[0] = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
    handles[1] = dlopen(copy, RTLD_NOW | RTLD_GLOBAL);
    for (i = 0; i < 2; i++) {
        *(void **)&init[i] = symbol(handles[i], "kina_observ_init");
        *(void **)&count[i] = symbol(handles[i], "runtime_device_count");
        *(void **)&code[i] = symbol(handles[i], "kina_last_error_code");
    }
    if (init[0](1) != 0 || count[0](&devices) != 0 || count[1](&devices) != 0 || count[1](NULL) != -2)
        return 4;
    printf("errors %d %d, the other starts: %d\n", code[0](), code[1](), init[1](0));
    return 0;
}

int main(int count, char **arguments)
{
    static char first[1 << 20], last[1 << 20];
    int i, rounds;
    if (count < 3)
        return 2;
    library = arguments[1];
    if (count == 4)
        return apart(arguments[3]);
    if (strcmp(arguments[2], "never") == 0) {
        in_a_thread(NULL);
        printf("%d mapped\n", (int)mapped(NULL, 0));
        return 0;
    }
    rounds = atoi(arguments[2]);
    in_a_thread(&library);
    mapped(first, sizeof first);
    for (i = 1; i < rounds; i++)
        in_a_thread(&library);
    mapped(last, sizeof last);
    if (strcmp(first, last) != 0) {
        fprintf(stderr, "%s\nbecame\n%s\n", first, last);
        return 8;
    }
    printf("%d rounds\n", rounds);
    return 0;
}
